/** The end of a sending: what the requester has, and which files failed. */
import { describeError } from '#shared/describe-error'
import { appError } from '#shared/errors'
import { visibleText } from '#shared/format/visible-text'
import type { PageState } from '../page-session'
import { text } from '../text'

export function Sent({ state }: { readonly state: PageState }) {
  const { failed, problems, totals, error, chosen } = state
  const isFolders = chosen.entries.every(({ file }) => file === null)
  return (
    <section>
      {error === null && (
        <div role="status">
          <h1>{problems > 0 ? text.sentInPart : text.sent}</h1>
          <p>{isFolders ? text.sentFolders : text.sentFiles(totals.files)}</p>
        </div>
      )}
      {problems > 0 && <p role="alert">{text.notSent(problems)}</p>}
      {failed.length > 0 && (
        <ul className="failed">
          {failed.map(({ path, code }) => (
            <li key={path}>
              <span className="name">{visibleText(path)}</span>
              <p>{visibleText(describeError(appError(code)).what)}</p>
            </li>
          ))}
        </ul>
      )}
      {problems > failed.length && <p>{text.more(problems - failed.length)}</p>}
    </section>
  )
}
