import * as Dialog from '@radix-ui/react-dialog'
import { answerAboutMeeting } from '../../actions/meeting-actions'
import { Button } from '../../components/button'
import { useUiStore } from '../../store/ui-store'
import { text } from '../../text'

/** Asks once whether public meeting points may be used, and says what others then see. */
export function MeetingSheet() {
  const isOpen = useUiStore((ui) => ui.meetingAsked !== null)
  const words = text.meetingSheet
  return (
    <Dialog.Root open={isOpen} onOpenChange={() => void answerAboutMeeting(null)}>
      <Dialog.Portal>
        <div className="scrim">
          <Dialog.Content
            className="sheet narrow fitting"
            onOpenAutoFocus={(event) => {
              // The Enter that ended a code must answer nothing, also when it is pressed twice.
              event.preventDefault()
              if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
            }}
          >
            <header className="sheet-head">
              <div className="grow">
                <Dialog.Title className="title large">{words.title}</Dialog.Title>
                <Dialog.Description className="sub">{words.about}</Dialog.Description>
              </div>
            </header>
            <footer className="sheet-foot">
              <p className="grow sub">{words.later}</p>
              <Button variant="ghost" onClick={() => void answerAboutMeeting('never')}>
                {words.refuse}
              </Button>
              <Button variant="primary" onClick={() => void answerAboutMeeting('automatic')}>
                {words.use}
              </Button>
            </footer>
          </Dialog.Content>
        </div>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
