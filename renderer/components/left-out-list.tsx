import type { LeftOut } from '#shared/app-state'
import { countLeftOut, leftOutReason } from '#shared/left-out-words'
import { visibleText } from '#shared/visible-text'
import { text } from '../text/en'
import { Fold } from './fold'

/** What the sender leaves out, by reason, with the first names of each. */
export function LeftOutList({ leftOut }: { readonly leftOut: readonly LeftOut[] }) {
  if (leftOut.length === 0) return null
  return (
    <Fold title={text.leftOut(countLeftOut(leftOut))} tone="warning">
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
              <li>{text.share.moreItems(reason.entries - reason.paths.length)}</li>
            )}
          </ul>
        </div>
      ))}
    </Fold>
  )
}
