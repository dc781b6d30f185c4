import { UserPlus } from 'lucide-react'
import { useShallow } from 'zustand/react/shallow'
import { Avatar } from '../../components/avatar'
import { Button } from '../../components/button'
import {
  acceptInvitation,
  declineContact,
  declineInvitation,
  requestContact,
} from '../../contact-actions'
import { useAppStore } from '../../store/app-store'
import { useUiStore } from '../../store/ui-store'
import { text } from '../../text'
import { contactName, invitationSentence, type Question, questions } from '../../view/contact-view'
import { sentence } from '../../view/sentence'
import { TransferRow } from '../transfers/transfer-row'

/** True while someone waits for an answer. */
export function useHasQuestions(): boolean {
  const refused = useUiStore((ui) => ui.refused)
  return useAppStore(({ state }) => state !== null && questions(state, refused).length > 0)
}

/** Invitations of contacts and contact requests, above everything else. */
export function Questions() {
  const state = useAppStore(useShallow((mirror) => mirror.state))
  const refused = useUiStore((ui) => ui.refused)
  const open = state === null ? [] : questions(state, refused)
  if (open.length === 0) return null
  return (
    <section className="stack questions" aria-label={text.contacts.title}>
      {open.map((question) =>
        question.kind === 'invitation' ? (
          <InvitationRow key={question.id} {...question} />
        ) : (
          <RequestRow key={question.id} {...question} />
        ),
      )}
    </section>
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
      <Button
        variant="ghost"
        size="small"
        onClick={() => {
          declineContact(side)
        }}
      >
        {text.contacts.decline}
      </Button>
    </TransferRow>
  )
}
