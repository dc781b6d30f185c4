import type { ReceiveId } from '#shared/state/app-state'
import { answerLater, declineOffer } from '../../actions/actions'
import { Button } from '../../components/button'
import { text } from '../../text'

/** The two ways out of an offer: without an answer, and by declining it. */
export const OfferButtons = ({ receive }: { readonly receive: ReceiveId }) => (
  <>
    <Button variant="ghost" onClick={() => void declineOffer(receive)}>
      {text.preview.decline}
    </Button>
    <Button variant="ghost" hint={text.keys.escape} onClick={() => answerLater(receive)}>
      {text.preview.later}
    </Button>
  </>
)
