import { FileWarning } from 'lucide-react'
import type { ErrorText } from '#shared/describe-error'
import type { AppError } from '#shared/errors'
import { visibleText } from '#shared/format/visible-text'
import type { ItemProblem } from '#shared/state/app-state'
import { Icon } from '../../components/icon'
import { text } from '../../text'

/** Folders within a transfer with air around their strokes; other paths as they are. */
const pathWords = (path: string): string =>
  path.startsWith('/') ? path : path.split('/').join(' / ')

/** A person reads this many; the rest is a number. */
const shown = 100

type Props = {
  readonly problems: readonly ItemProblem[]
  /** The text for a problem, seen from this side. */
  readonly describe: (error: AppError) => ErrorText
}

/** Which files are missing and why, each with what to do. */
export const ProblemList = ({ problems, describe }: Props) => (
  <ul>
    {problems.slice(0, shown).map(({ path, error }, index) => {
      // The path stands above it, so the sentence need not name it again.
      const { what, remedy } = describe({ code: error.code, detail: error.detail })
      return (
        <li key={index} className="problem">
          <Icon of={FileWarning} />
          <div>
            <h3>
              <bdi>{pathWords(visibleText(path))}</bdi>
            </h3>
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
