import { FileWarning } from 'lucide-react'
import type { ErrorText } from '#shared/describe-error'
import type { AppError } from '#shared/errors'
import { visibleText } from '#shared/format/visible-text'
import type { ItemProblem } from '#shared/state/app-state'
import { Icon } from '../../components/icon'
import { text } from '../../text'

/** Adds spaces around the slashes of relative paths; absolute paths stay unchanged. */
const pathWords = (path: string): string =>
  path.startsWith('/') ? path : path.split('/').join(' / ')

/** Problems that people read; the rest is only counted. */
const shown = 100

type Props = {
  readonly problems: readonly ItemProblem[]
  /** The text for a problem, from this side's point of view. */
  readonly describe: (error: AppError) => ErrorText
}

/** The missing files, each with the reason and a remedy. */
export const ProblemList = ({ problems, describe }: Props) => (
  <ul>
    {problems.slice(0, shown).map(({ path, error }, index) => {
      // The path is above the sentence, which need not repeat it.
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
