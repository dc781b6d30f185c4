import type { Receive } from '#shared/state/app-state'
import { reviewOffer } from '../../actions/actions'
import { Button } from '../../components/button'
import { useUiStore } from '../../store/ui-store'
import { text } from '../../text'

/** Opens an offer again that the person left for later. */
export function ReviewButton({ receive: { id, phase } }: { readonly receive: Receive }) {
  const isLater = useUiStore(({ later }) => later.includes(id))
  if (phase !== 'offered' || !isLater) return null
  return (
    <Button size="small" onClick={() => reviewOffer(id)}>
      {text.receive.review}
    </Button>
  )
}
