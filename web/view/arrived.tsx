/** The files that have arrived, each with a button that saves it. */
import { useEffect, useState } from 'react'
import { formatBytes, formatPercent } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import { type PageSession, type PageState, save } from '../page-session'
import type { ArrivedFile } from '../receive'
import { safePath } from '../storage/safe-name'
import { text } from '../text'

/** Files that are listed; all of them are in the ZIP file. */
const maxListed = 500

const nameOf = ({ entry }: ArrivedFile): string => {
  const path = safePath(entry.path)
  return path.slice(path.lastIndexOf('/') + 1)
}

const bytesOf = (files: readonly ArrivedFile[]): number =>
  files.reduce((sum, { content }) => sum + content.size, 0)

type Props = { readonly state: PageState; readonly session: PageSession }

export function Arrived({ state, session }: Props) {
  const texts = state.files.filter(({ entry }) => entry.isText)
  const files = state.files.filter(({ entry }) => !entry.isText)
  return (
    <section>
      {state.error === null && (
        <div role="status">
          <h1>{text.done}</h1>
          <p>{doneText(state, files.length)}</p>
        </div>
      )}
      {state.problems > 0 && <p role="alert">{text.problems(state.problems)}</p>}
      {texts.map((file) => (
        <ArrivedText key={file.entry.index} content={file.content} />
      ))}
      {files.length > 1 && (
        <button
          type="button"
          className="primary"
          disabled={state.packedBytes !== null}
          onClick={() => session.pack()}
        >
          {state.packedBytes === null
            ? text.saveAll
            : text.packing(formatPercent(state.packedBytes, bytesOf(state.files)))}
        </button>
      )}
      {state.isPackFailed && <p role="alert">{text.packFailed}</p>}
      <ul className="items" aria-label={text.contents}>
        {files.slice(0, maxListed).map((file) => (
          <li key={file.entry.index}>
            <span className="name">{visibleText(file.entry.path)}</span>
            <span className="size">{formatBytes(file.content.size)}</span>
            <button
              type="button"
              className={files.length === 1 ? 'primary' : ''}
              aria-label={text.saveAs(visibleText(nameOf(file)))}
              onClick={() => save(nameOf(file), file.content)}
            >
              {text.save}
            </button>
          </li>
        ))}
      </ul>
      {files.length > maxListed && <p>{text.more(files.length - maxListed)}</p>}
    </section>
  )
}

const doneText = ({ folder, savedFiles }: PageState, files: number): string =>
  folder !== null && files === 0 && savedFiles > 0
    ? text.savedIn(visibleText(folder))
    : text.verified

function ArrivedText({ content }: { readonly content: Blob }) {
  const [said, setSaid] = useState('')
  useEffect(() => void content.text().then(setSaid), [content])
  return <pre className="text">{said}</pre>
}
