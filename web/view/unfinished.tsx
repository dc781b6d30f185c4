/** Interrupted receives, which can be resumed or deleted. */
import { formatBytesOf } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import type { PageSession, PageState } from '../page-session'
import { text } from '../text'

type Props = { readonly state: PageState; readonly session: PageSession }

export function UnfinishedList({ state, session }: Props) {
  if (state.unfinished.length === 0) return null
  return (
    <section aria-label={text.unfinished} className="unfinished">
      <h2>{text.unfinished}</h2>
      <ul>
        {state.unfinished.map((receive) => (
          <li key={receive.id}>
            <p>
              {receive.sender === '' ? text.fromUnnamed : text.from(visibleText(receive.sender))}
              {' · '}
              {formatBytesOf(receive.bytes, receive.totalBytes)}
            </p>
            <div className="row">
              <button type="button" onClick={() => void session.resume(receive)}>
                {text.resumeReceive}
              </button>
              <button type="button" onClick={() => session.forget(receive)}>
                {text.delete}
              </button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
