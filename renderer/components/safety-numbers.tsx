import { safetyWords } from '#shared/phase-words'
import { text } from '../text/en'
import { pairingText } from '../text/pairing'
import { Fold } from './fold'

type Entry = { readonly id: string; readonly name: string; readonly safety: string }

/** What two people compare who want to be sure that nobody is between them. */
export function SafetyNumbers({ of }: { readonly of: readonly Entry[] }) {
  if (of.length === 0) return null
  return (
    <div className="safety">
      <Fold title={pairingText.safetyTitle}>
        <p className="sub">{pairingText.safetyUse}</p>
        <dl>
          {of.map(({ id, name, safety }) => (
            <div key={id}>
              <dt className="trunc">{text.person(name)}</dt>
              <dd>{safetyWords(safety)}</dd>
            </div>
          ))}
        </dl>
      </Fold>
    </div>
  )
}
