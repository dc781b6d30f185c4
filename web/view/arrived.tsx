/** The files that have arrived, each with a button that saves it. */
import { useEffect, useState } from 'react'
import { formatBytes } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import type { ArrivedFile, PageState } from '../page-session'
import { zipOf } from '../storage/zip'
import { text } from '../text'

/** Files that are listed; all of them are in the ZIP file. */
const maxListed = 500

/** Saves content as a browser saves downloads. */
function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads the content a moment later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

const nameOf = ({ entry }: ArrivedFile): string => entry.path.slice(entry.path.lastIndexOf('/') + 1)

export function Arrived({ state }: { readonly state: PageState }) {
  const [isPacking, setPacking] = useState(false)
  const texts = state.files.filter(({ entry }) => entry.isText)
  const files = state.files.filter(({ entry }) => !entry.isText)
  const pack = async (): Promise<void> => {
    setPacking(true)
    try {
      save('thruflux.zip', await zipOf(files))
    } finally {
      setPacking(false)
    }
  }
  return (
    <section>
      {state.error === null && (
        <div role="status">
          <h1>{text.done}</h1>
          <p>{text.verified}</p>
        </div>
      )}
      {state.problems > 0 && <p role="alert">{text.problems(state.problems)}</p>}
      {texts.map((file) => (
        <ArrivedText key={file.entry.index} content={file.content} />
      ))}
      {files.length > 1 && (
        <button type="button" className="primary" disabled={isPacking} onClick={() => void pack()}>
          {isPacking ? text.packing : text.saveAll}
        </button>
      )}
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

function ArrivedText({ content }: { readonly content: Blob }) {
  const [said, setSaid] = useState('')
  useEffect(() => void content.text().then(setSaid), [content])
  return <pre className="text">{said}</pre>
}
