import { Pause, Play } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { text } from '../text'
import { Button, IconButton } from './button'

type Props = {
  readonly paused: boolean
  readonly onPause: (paused: boolean) => void
  /** An icon alone, for rows without room for words. */
  readonly isSmall?: boolean
  readonly pauseWords?: string
}

export function PauseButton({ paused, onPause, isSmall = false, pauseWords }: Props) {
  const words = paused ? text.actions.resume : (pauseWords ?? text.actions.pause)
  const icon = paused ? Play : Pause
  const onClick = (): void => onPause(!paused)
  return isSmall ? (
    <IconButton name={words} icon={icon} size="small" onClick={onClick} />
  ) : (
    <Button icon={icon} onClick={onClick}>
      {words}
    </Button>
  )
}

/** Makes a focused element pause and resume with Space. */
export const spacePauses = (toggle: () => void) => ({
  tabIndex: 0,
  onKeyDown: (event: KeyboardEvent): void => {
    if (event.key !== ' ' || event.target !== event.currentTarget) return
    event.preventDefault()
    toggle()
  },
})
