import { KeyRound } from 'lucide-react'
import { codeEndNote, guessNote, loadNote, movedNote } from '#shared/labels'
import type { Share } from '#shared/state/app-state'
import { renewCode } from '../../actions/share-actions'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { text } from '../../text'

/** A problem with the code: why people may be unable to join, or that someone may be guessing it; with a remedy. */
export function CodeNotes({ share }: { readonly share: Share }) {
  const { id, guesses, codeEnd, highLoad, invitedOnly } = share
  const words = wordsOf(share)
  if (words === null) return null
  const isHelped =
    invitedOnly !== true && (guesses.locked || codeEnd !== null || highLoad) && !guesses.spent
  return (
    <div className={guesses.locked ? 'code-note danger' : 'code-note'} role="status">
      <Icon of={KeyRound} />
      <p className="grow">{words}</p>
      {isHelped && (
        <Button size="small" onClick={() => void renewCode(id)}>
          {text.share.newCode}
        </Button>
      )}
    </div>
  )
}

/** The most serious note about the code. */
function wordsOf({ guesses, codeEnd, highLoad, moved, invitedOnly }: Share): string | null {
  if (invitedOnly === true) return codeEnd === null ? null : codeEndNote(codeEnd, true)
  if (guesses.locked) return guessNote(guesses)
  if (codeEnd !== null) return codeEndNote(codeEnd)
  return guessNote(guesses) ?? (highLoad ? loadNote() : moved ? movedNote() : null)
}
