import { Check, UserPlus } from 'lucide-react'
import { useShallow } from 'zustand/react/shallow'
import { visibleText } from '#shared/format/visible-text'
import {
  acceptInvitation,
  answerNearby,
  declineContact,
  declineInvitation,
  requestContact,
} from '../../actions/contact-actions'
import { approveReceiver } from '../../actions/share-actions'
import { Avatar } from '../../components/avatar'
import { Button } from '../../components/button'
import { useAppStore } from '../../store/app-store'
import { useUiStore } from '../../store/ui-store'
import { text } from '../../text'
import { contactName, invitationSentence, type Question, questions } from '../../view/contact-view'
import { questionSentence } from '../../view/nearby-view'
import { sentence } from '../../view/sentence'
import { receiverQuestion } from '../../view/share-view'
import { TransferRow } from '../transfers/transfer-row'

/** True while any question waits for an answer. */
export function useHasQuestions(): boolean {
  const refused = useUiStore((ui) => ui.refused)
  return useAppStore(({ state }) => state !== null && questions(state, refused).length > 0)
}

/** Waiting receivers, invitations of contacts and contact requests, above everything else. */
export function Questions() {
  const state = useAppStore(useShallow((mirror) => mirror.state))
  const refused = useUiStore((ui) => ui.refused)
  const open = state === null ? [] : questions(state, refused)
  if (open.length === 0) return null
  return (
    <section className="stack questions" aria-label={text.contacts.title}>
      {open.map((question) => (
        <QuestionRow key={question.id} {...question} />
      ))}
    </section>
  )
}

function QuestionRow(question: Question) {
  switch (question.kind) {
    case 'receiver':
      return <ReceiverRow {...question} />
    case 'invitation':
      return <InvitationRow {...question} />
    case 'nearby':
      return <NearbyRow {...question} />
    default:
      return <RequestRow {...question} />
  }
}

function ReceiverRow({ share, receiver }: Extract<Question, { readonly kind: 'receiver' }>) {
  const { peer, name } = receiver
  return (
    <TransferRow
      tile={<Avatar name={name} size="medium" />}
      title={text.receivers.asks({ name, title: visibleText(share.title) })}
      sentence={receiverQuestion(receiver)}
    >
      <Button
        variant="primary"
        size="small"
        icon={Check}
        onClick={() => void approveReceiver(share.id, peer, true)}
      >
        {text.receivers.letIn}
      </Button>
      <Button
        variant="ghost"
        size="small"
        onClick={() => void approveReceiver(share.id, peer, false)}
      >
        {text.receivers.refuse}
      </Button>
    </TransferRow>
  )
}

function InvitationRow({ invitation }: Extract<Question, { readonly kind: 'invitation' }>) {
  const contacts = useAppStore(({ state }) => state?.contacts ?? [])
  const name = contactName(contacts, invitation.contact)
  return (
    <TransferRow
      tile={<Avatar name={name} size="medium" />}
      title={text.contacts.invites(name)}
      sentence={invitationSentence(invitation)}
    >
      <Button variant="primary" size="small" onClick={() => void acceptInvitation(invitation)}>
        {text.contacts.view}
      </Button>
      <Button variant="ghost" size="small" onClick={() => void declineInvitation(invitation)}>
        {text.contacts.notNow}
      </Button>
    </TransferRow>
  )
}

function NearbyRow({ question }: Extract<Question, { readonly kind: 'nearby' }>) {
  const { id, phase } = question
  const name = visibleText(question.name)
  return (
    <TransferRow
      tile={<Avatar name={name} size="medium" />}
      title={text.nearby.asks(name)}
      sentence={questionSentence(question)}
    >
      {phase === 'asking' && (
        <Button variant="primary" size="small" onClick={() => void answerNearby(id, true)}>
          {text.nearby.view}
        </Button>
      )}
      {phase === 'asking' && (
        <Button variant="ghost" size="small" onClick={() => void answerNearby(id, false)}>
          {text.nearby.decline}
        </Button>
      )}
    </TransferRow>
  )
}

function RequestRow({ name, side }: Extract<Question, { readonly kind: 'contact-request' }>) {
  return (
    <TransferRow
      tile={<Avatar name={name} size="medium" />}
      title={text.contacts.requests(name)}
      sentence={sentence('', 'plain', [text.contacts.requestAbout])}
    >
      <Button
        variant="primary"
        size="small"
        icon={UserPlus}
        onClick={() => void requestContact(side)}
      >
        {text.contacts.accept}
      </Button>
      <Button variant="ghost" size="small" onClick={() => declineContact(side)}>
        {text.contacts.decline}
      </Button>
    </TransferRow>
  )
}
