import { text } from '../text'
import type { Sentence } from '../view/sentence'

/** One state in words. */
export const SentenceLine = ({ of: { lead, tone, rest } }: { readonly of: Sentence }) => (
  <p className="sentence trunc">
    {lead !== '' && <strong className={tone}>{lead}</strong>}
    {lead !== '' && rest.length > 0 && text.separator}
    {rest.join(text.separator)}
  </p>
)
