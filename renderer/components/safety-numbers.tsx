import { formatSafety } from '#shared/format/format'
import { text } from '../text'
import type { Comparable } from '../view/nearby-view'
import { Collapsible } from './collapsible'

/** Numbers that two people compare to be sure that no one intercepts their connection. */
export function SafetyNumbers({ of }: { readonly of: readonly Comparable[] }) {
  if (of.length === 0) return null
  return (
    <div className="safety">
      <Collapsible title={text.safety.title}>
        <p className="sub">{text.safety.about}</p>
        <dl>
          {of.map(({ id, name, safety }) => (
            <div key={id}>
              <dt className="trunc">{text.person(name)}</dt>
              <dd>{formatSafety(safety)}</dd>
            </div>
          ))}
        </dl>
      </Collapsible>
    </div>
  )
}
