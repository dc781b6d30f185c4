import { visibleText } from '#shared/format/visible-text'
import type { MappedName } from '#shared/state/app-state'
import { text } from '../text'
import { Collapsible } from './collapsible'

/** Names that people read; the rest is only counted. */
const namesShown = 100

type Props = {
  /** The title for a number of names. */
  readonly title: (count: number) => string
  readonly of: { readonly mappedCount: number; readonly mappedNames: readonly MappedName[] }
}

/** Names that are written differently, each with its new form. */
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
