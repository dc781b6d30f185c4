import { CircleAlert, X } from 'lucide-react'
import { describeError } from '#shared/describe-error'
import type { AppError } from '#shared/errors'
import { text } from '../text'
import { IconButton } from './button'
import { Icon } from './icon'
import { RemedyButton } from './remedy-button'

type Props = { readonly error: AppError; readonly onClose: () => void }

/** The reason why the person's last action failed. */
export function Notice({ error, onClose }: Props) {
  const { what, remedy } = describeError(error)
  return (
    <div className="notice" role="alert">
      <Icon of={CircleAlert} size={18} />
      <p className="grow">
        <strong>{what}</strong> {remedy}
      </p>
      <RemedyButton error={error} size="small" onDone={onClose} />
      <IconButton name={text.actions.close} icon={X} size="small" onClick={onClose} />
    </div>
  )
}
