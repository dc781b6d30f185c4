import type { ReactNode } from 'react'
import { spacePauses } from '../../components/pause-button'
import { SentenceLine } from '../../components/sentence-line'
import type { Sentence } from '../../view/sentence'

type Props = {
  readonly tile: ReactNode
  readonly title: string
  /** The other side, if any: "from Mina Park". */
  readonly who?: string | undefined
  readonly sentence: Sentence
  /** The action of Space on the focused row. */
  readonly onSpace?: (() => void) | undefined
  /** The row's buttons. */
  readonly children: ReactNode
}

/** A transfer in one row: its title, the other side, and its state in one sentence. */
export const TransferRow = ({ tile, title, who, sentence, onSpace, children }: Props) => (
  <article className="card row" aria-label={title} {...(onSpace && spacePauses(onSpace))}>
    {tile}
    <div className="grow">
      <div className="row-title">
        <h2 className="title trunc">{title}</h2>
        {who !== undefined && <span className="sub trunc">{who}</span>}
      </div>
      <SentenceLine of={sentence} />
    </div>
    <div className="row-acts">{children}</div>
  </article>
)
