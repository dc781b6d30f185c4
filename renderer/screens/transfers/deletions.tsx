import { visibleText } from '#shared/format/visible-text'
import type { Deletions as Report } from '#shared/state/deletions'
import { Collapsible } from '../../components/collapsible'
import { text } from '../../text'

/** Paths that people read; the rest is only counted. */
const pathsShown = 100

/** Files that the sender deleted: those that were moved, and each that stays with the reason. */
export function Deletions({ of: { moved, folder, keptCount, kept } }: { readonly of: Report }) {
  const words = text.receive.deletions
  const shown = kept.slice(0, pathsShown)
  return (
    <>
      {moved > 0 && <p className="sub">{words.moved({ files: moved, folder })}</p>}
      {keptCount > 0 && (
        <Collapsible title={words.kept(keptCount)}>
          <ul className="names">
            {shown.map(({ path, why }, index) => (
              <li key={index}>
                <bdi>{visibleText(path)}</bdi> <span>{words.why[why]}</span>
              </li>
            ))}
            {keptCount > shown.length && <li>{text.lists.more(keptCount - shown.length)}</li>}
          </ul>
        </Collapsible>
      )}
    </>
  )
}
