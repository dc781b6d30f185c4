import type { MappedName } from '#shared/app-state'
import { visibleText } from '#shared/visible-text'
import { text } from '../text/en'
import { Fold } from './fold'

/** A person reads this many; the rest is a number. */
const namesShown = 100

type Props = { readonly title: string; readonly names: readonly MappedName[] }

/** Names that are written differently, each with what it becomes. */
export const MappedNames = ({ title, names }: Props) => (
  <Fold title={title}>
    <ul className="names">
      {names.slice(0, namesShown).map(({ path, writtenAs }) => (
        <li key={path}>
          <del>
            <bdi>{visibleText(path)}</bdi>
          </del>
          <ins>
            <bdi>{writtenAs}</bdi>
          </ins>
        </li>
      ))}
      {names.length > namesShown && <li>{text.share.moreItems(names.length - namesShown)}</li>}
    </ul>
  </Fold>
)
