import { visibleText } from '#shared/format/visible-text'
import { countLeftOut, leftOutReason } from '#shared/left-out-words'
import type { LeftOut } from '#shared/state/app-state'
import { text } from '../text'
import { Collapsible } from './collapsible'

/** Items that the sender left out, by reason, with the first names of each. */
export function LeftOutList({ leftOut }: { readonly leftOut: readonly LeftOut[] }) {
  if (leftOut.length === 0) return null
  return (
    <Collapsible title={text.lists.leftOutBySender(countLeftOut(leftOut))} tone="warning">
      {leftOut.map((reason) => (
        <div key={reason.code}>
          <p className="sub">{leftOutReason(reason)}</p>
          <ul className="names">
            {reason.paths.map((path, index) => (
              <li key={index}>
                <bdi>{visibleText(path)}</bdi>
              </li>
            ))}
            {reason.entries > reason.paths.length && reason.paths.length > 0 && (
              <li>{text.lists.more(reason.entries - reason.paths.length)}</li>
            )}
          </ul>
        </div>
      ))}
    </Collapsible>
  )
}
