import { ChevronDown, TriangleAlert } from 'lucide-react'
import { describeUnsent } from '#shared/describe-peer'
import type { ItemProblem } from '#shared/state/app-state'
import { Icon } from '../../components/icon'
import { text } from '../../text'
import { ProblemList } from './problem-list'

/** Items of a share that can't be sent, shown before receivers miss them. */
export function ShareProblems({ problems }: { readonly problems: readonly ItemProblem[] }) {
  if (problems.length === 0) return null
  return (
    <details className="left-out">
      <summary>
        <Icon of={TriangleAlert} />
        {text.share.unsendable(problems.length)}
        <ChevronDown className="chevron" size={14} strokeWidth={1.75} aria-hidden />
      </summary>
      <ProblemList problems={problems} describe={describeUnsent} />
    </details>
  )
}
