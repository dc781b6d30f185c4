import { Folder, Plus, RotateCw } from 'lucide-react'
import { describeSenderEnd } from '#shared/describe-peer'
import { appError } from '#shared/errors'
import type { Receive } from '#shared/state/app-state'
import { tryAgain } from '../../actions/resume-actions'
import { pickAndAnswer } from '../../actions/share-actions'
import { Button } from '../../components/button'
import { RemedyButton } from '../../components/remedy-button'
import { text } from '../../text'
import { useNow } from '../../use-now'
import { receivedFact, receiveTitle } from '../../view/receive-view'
import { ErrorCard } from './error-card'

/** A receive that failed or was interrupted, with a button to try it again. */
export function ReceiveFailed({ receive }: { readonly receive: Receive }) {
  const { id, from, phase, contact, request, retryFromMs } = receive
  const error = receive.error ?? appError('E_INTERNAL')
  const isRequest = error.code === 'E_CODE_REQUESTS'
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
      {isRequest ? (
        <AnswerButtons receive={receive} />
      ) : (
        <RemedyButton error={error} except={contact === undefined ? ['enter-code'] : []} />
      )}
      {contact === undefined && !mustWait && !isRequest && request === undefined && (
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

/** The code requests files: the ways to choose some for it. */
const AnswerButtons = ({ receive }: { readonly receive: Receive }) => (
  <>
    <Button variant="primary" icon={Plus} onClick={() => void pickAndAnswer('files', receive)}>
      {text.home.chooseFiles}
    </Button>
    <Button icon={Folder} onClick={() => void pickAndAnswer('folder', receive)}>
      {text.home.chooseFolder}
    </Button>
  </>
)
