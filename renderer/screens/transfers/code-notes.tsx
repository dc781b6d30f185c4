import { KeyRound } from 'lucide-react'
import type { Share } from '#shared/app-state'
import { codeEndWords, guessWords } from '#shared/phase-words'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { renewCode } from '../../share-actions'
import { pairingText } from '../../text/pairing'

/** Why somebody may not get in by the code, or somebody seems to guess it, and the way out. */
export function CodeNotes({ share: { id, guesses, codeEnd } }: { readonly share: Share }) {
  const words = guesses.locked || codeEnd === null ? guessWords(guesses) : codeEndWords(codeEnd)
  if (words === null) return null
  const isClosed = guesses.locked || codeEnd !== null
  return (
    <div className={guesses.locked ? 'code-note danger' : 'code-note'} role="status">
      <Icon of={KeyRound} />
      <p className="grow">{words}</p>
      {isClosed && (
        <Button size="small" onClick={() => void renewCode(id)}>
          {pairingText.newCode}
        </Button>
      )}
    </div>
  )
}
