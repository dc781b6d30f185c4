import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import type { AppError } from '#shared/errors'
import { text } from '../text'
import { errorDetails } from '../view/receive-view'
import { CopyButton } from './copy-button'
import { useCopied } from './use-copied'

/** Details for a report that most people don't need, initially collapsed. */
export function Details({ error }: { readonly error: AppError }) {
  const [isOpen, setIsOpen] = useState(false)
  const [copyState, copy] = useCopied()
  const details = errorDetails(error)
  return (
    <>
      <div className="details-head">
        <button
          type="button"
          className="btn ghost small"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          <ChevronDown className="chevron" size={14} strokeWidth={1.75} aria-hidden />
          {text.error.details}
        </button>
        <span className="grow" />
        <CopyButton
          state={copyState}
          words={text.actions.copy}
          variant="ghost"
          size="small"
          onClick={() => copy(details)}
        />
      </div>
      {isOpen && <pre className="details-text">{details}</pre>}
    </>
  )
}
