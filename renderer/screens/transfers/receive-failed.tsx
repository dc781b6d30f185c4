import { RotateCw } from 'lucide-react'
import { describeSenderEnd } from '#shared/describe-peer'
import { appError } from '#shared/errors'
import type { Receive } from '#shared/state/app-state'
import { tryAgain } from '../../actions/resume-actions'
import { Button } from '../../components/button'
import { RemedyButton } from '../../components/remedy-button'
import { text } from '../../text'
import { useNow } from '../../use-now'
import { receivedFact, receiveTitle } from '../../view/receive-view'
import { ErrorCard } from './error-card'

/** A receive that failed or was interrupted, with a button to try it again. */
export function ReceiveFailed({ receive }: { readonly receive: Receive }) {
  const { id, from, phase, contact, retryFromMs } = receive
  const error = receive.error ?? appError('E_INTERNAL')
  const nowMs = useNow(retryFromMs > 0)
  const mustWait = nowMs < retryFromMs
  const about = [
    receiveTitle(receive),
    ...(from === '' ? [] : [text.receive.from(from)]),
    mustWait ? text.interrupted.checkFirst : receivedFact(receive),
  ]
  return (
    <ErrorCard
      id={id}
      error={error}
      errorText={describeSenderEnd(error, from)}
      about={about.join(text.separator)}
      isPassing={phase === 'interrupted'}
    >
      {/* Trying again asks for a code if it needs one. */}
      <RemedyButton error={error} except={contact === undefined ? ['enter-code'] : []} />
      {contact === undefined && !mustWait && (
        <Button
          variant="primary"
          icon={RotateCw}
          onClick={() => {
            void tryAgain(receive)
          }}
        >
          {phase === 'interrupted' ? text.actions.resume : text.actions.tryAgain}
        </Button>
      )}
    </ErrorCard>
  )
}
