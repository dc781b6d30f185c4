import { visibleText } from '#shared/format/visible-text'
import type { MappedName } from '#shared/state/app-state'
import { text } from '../text'
import { Collapsible } from './collapsible'

/** A person reads this many; the rest is a number. */
const namesShown = 100

type Props = {
  /** Says how many there are. */
  readonly title: (count: number) => string
  readonly of: { readonly mappedCount: number; readonly mappedNames: readonly MappedName[] }
}

/** Names that are written differently, each with what it becomes; nothing for none. */
export function MappedNames({ title, of: { mappedCount, mappedNames } }: Props) {
  if (mappedCount === 0) return null
  const shown = mappedNames.slice(0, namesShown)
  return (
    <Collapsible title={title(mappedCount)}>
      <ul className="names">
        {shown.map(({ path, writtenAs }, index) => (
          <li key={index}>
            <del>
              <bdi>{visibleText(path)}</bdi>
            </del>
            <ins>
              <bdi>{writtenAs}</bdi>
            </ins>
          </li>
        ))}
        {mappedCount > shown.length && <li>{text.lists.more(mappedCount - shown.length)}</li>}
      </ul>
    </Collapsible>
  )
}
