/** The files that have arrived, each with a button that saves it. */
import { useEffect, useState } from 'react'
import { formatBytes, formatPercent } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import type { OfferedEntry } from '../engine/module'
import { nameOf, type PageSession, type PageState } from '../page-session'
import { text } from '../text'

/** Files that are listed; all of them are in the ZIP file. */
const maxListed = 500

const bytesOf = (files: readonly OfferedEntry[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0)

type Props = { readonly state: PageState; readonly session: PageSession }

export function Arrived({ state, session }: Props) {
  const { files, texts, folders, folder } = state
  const isForZip = files.length > 1 || (files.length === 0 && folders > 0 && folder === null)
  return (
    <section>
      {state.error === null && (
        <div role="status">
          <h1>{state.problems > 0 ? text.doneInPart : text.done}</h1>
          <p>{doneText(state)}</p>
        </div>
      )}
      {state.problems > 0 && <p role="alert">{text.problems(state.problems)}</p>}
      {texts.map(({ entry, content }) => (
        <ArrivedText key={entry.index} content={content} />
      ))}
      {isForZip && (
        <button
          type="button"
          className="primary"
          disabled={state.packedBytes !== null}
          onClick={() => session.pack()}
        >
          {state.packedBytes === null
            ? text.saveAll
            : text.packing(formatPercent(state.packedBytes, bytesOf(files)))}
        </button>
      )}
      {state.isPackFailed && <p role="alert">{text.packFailed}</p>}
      {state.isSaveFailed && <p role="alert">{text.saveFailed}</p>}
      <ul className="items" aria-label={text.contents}>
        {files.slice(0, maxListed).map((file) => (
          <li key={file.index}>
            <span className="name">{visibleText(file.path)}</span>
            <span className="size">{formatBytes(file.bytes)}</span>
            <button
              type="button"
              className={files.length === 1 ? 'primary' : ''}
              aria-label={text.saveAs(visibleText(nameOf(file)))}
              onClick={() => session.save(file)}
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

function doneText({ folder, savedFiles, files, texts, folders, problems }: PageState): string {
  if (files.length === 0 && folder !== null && savedFiles > 0)
    return text.savedIn(visibleText(folder))
  if (files.length + texts.length > 0 || folders === 0) return text.verified
  if (problems > 0) return text.onlyFolders
  return folder === null
    ? text.foldersArrived(folders)
    : text.foldersIn(folders, visibleText(folder))
}

function ArrivedText({ content }: { readonly content: Blob }) {
  const [said, setSaid] = useState('')
  useEffect(() => void content.text().then(setSaid), [content])
  return <pre className="text">{said}</pre>
}
