import { FileWarning } from 'lucide-react'
import type { ItemProblem } from '#shared/app-state'
import { describeError } from '#shared/describe-error'
import { Icon } from '../../components/icon'
import { text } from '../../text/en'

/** A person reads this many; the rest is a number. */
const shown = 100

/** Which files are missing and why, each with what to do. */
export const ProblemList = ({ problems }: { readonly problems: readonly ItemProblem[] }) => (
  <ul>
    {problems.slice(0, shown).map(({ path, error }) => {
      const { what, remedy } = describeError(error)
      return (
        <li key={path} className="problem">
          <Icon of={FileWarning} />
          <div>
            <h3>{path}</h3>
            <p>
              {what} {remedy}
            </p>
          </div>
        </li>
      )
    })}
    {problems.length > shown && (
      <li className="problem">
        <span />
        <p>{text.result.moreProblems(problems.length - shown)}</p>
      </li>
    )}
  </ul>
)
