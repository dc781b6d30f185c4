import type { FollowedLinks as Followed } from '#shared/followed-links'
import { visibleText } from '#shared/format/visible-text'
import { Collapsible } from '../../components/collapsible'
import { text } from '../../text'

/** Links that people read; the rest is only counted. */
const linksShown = 100

/** Links that lead out of a share, with the paths that are sent instead. */
export function FollowedLinks({ followed }: { readonly followed: Followed }) {
  const { count, links } = followed
  const shown = links.slice(0, linksShown)
  return (
    <Collapsible title={text.share.followed(count)} tone="warning">
      <ul className="names">
        {shown.map(({ path, target }, index) => (
          <li key={index}>
            <bdi>{visibleText(path)}</bdi>
            <ins>
              <bdi>{visibleText(target)}</bdi>
            </ins>
          </li>
        ))}
        {count > shown.length && <li>{text.lists.more(count - shown.length)}</li>}
      </ul>
    </Collapsible>
  )
}
