import { Check } from 'lucide-react'
import type { Share, ShareId } from '#shared/state/app-state'
import type { NearbyCall } from '#shared/state/nearby'
import { compareNumber } from '../../actions/share-actions'
import { Avatar } from '../../components/avatar'
import { Button } from '../../components/button'
import { SentenceLine } from '../../components/sentence-line'
import { text } from '../../text'
import { callSentence, openCalls } from '../../view/nearby-view'

/** Nearby computers that a share is sent to and that have not connected yet. */
export function CallList({ share }: { readonly share: Share }) {
  const calls = openCalls(share)
  if (calls.length === 0) return null
  return (
    <section className="invited" aria-label={text.nearby.title}>
      <h3 className="label">{text.nearby.title}</h3>
      <ul>
        {calls.map((call) => (
          <CallRow key={call.computer} share={share.id} call={call} />
        ))}
      </ul>
    </section>
  )
}

function CallRow({ share, call }: { readonly share: ShareId; readonly call: NearbyCall }) {
  const { computer, name, phase } = call
  const answer = (isRight: boolean): void => {
    void compareNumber(share, computer, isRight)
  }
  return (
    <li className="peer">
      <Avatar name={name} size="medium" />
      <div className="grow">
        <div className="peer-name trunc">{text.person(name)}</div>
        <SentenceLine of={callSentence(call)} />
      </div>
      {(phase === 'asked' || phase === 'accepted') && (
        <>
          <Button variant="primary" size="small" icon={Check} onClick={() => answer(true)}>
            {text.nearby.sameNumber}
          </Button>
          <Button variant="ghost" size="small" onClick={() => answer(false)}>
            {text.nearby.otherNumber}
          </Button>
        </>
      )}
    </li>
  )
}
