import { RotateCw } from 'lucide-react'
import type { Receive } from '#shared/app-state'
import { appError } from '#shared/errors'
import { joinAgain } from '../../actions'
import { Button } from '../../components/button'
import { text } from '../../text/en'
import { keptSentence, receiveTitle } from '../../view/receive-view'
import { ErrorCard } from './error-card'

/** A receive that did not come to its end, and the way to try it again. */
export function ReceiveFailed({ receive }: { readonly receive: Receive }) {
  const { id, from, phase, contact } = receive
  const about = [
    receiveTitle(receive),
    ...(from === '' ? [] : [text.receive.from(from)]),
    keptSentence(receive),
  ]
  return (
    <ErrorCard
      id={id}
      error={receive.error ?? appError('E_INTERNAL')}
      about={about.join(text.separator)}
      isPassing={phase === 'interrupted'}
    >
      {contact === undefined && (
        <Button
          look="primary"
          icon={RotateCw}
          onClick={() => {
            void joinAgain(receive)
          }}
        >
          {phase === 'interrupted' ? text.pause.goOn : text.failure.tryAgain}
        </Button>
      )}
    </ErrorCard>
  )
}
