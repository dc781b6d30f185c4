import { Folder, Inbox, Plus, Type } from 'lucide-react'
import { pickAndShare, requestFiles, writeText } from '../../actions/share-actions'
import { Button } from '../../components/button'
import { text } from '../../text'
import { modName } from '../../use-shortcuts'
import { NextShare } from './next-share'

type Props = {
  /** Large buttons on home; small ones below the transfers. */
  readonly size: 'large' | 'small'
}

/** Buttons that share files, a folder or text, or request files. */
export function StartButtons({ size }: Props) {
  const isLarge = size === 'large'
  const other = { size, ...(!isLarge && { variant: 'ghost' as const }) }
  return (
    <>
      <Button
        size={size}
        variant={isLarge ? 'primary' : 'ghost'}
        icon={Plus}
        {...(isLarge && { hint: text.keys.open(modName) })}
        onClick={() => void pickAndShare('files')}
      >
        {text.home.chooseFiles}
      </Button>
      <Button {...other} icon={Folder} onClick={() => void pickAndShare('folder')}>
        {text.home.chooseFolder}
      </Button>
      <Button {...other} icon={Type} onClick={() => writeText(null)}>
        {text.home.sendText}
      </Button>
      <Button {...other} icon={Inbox} onClick={() => void requestFiles()}>
        {text.home.request}
      </Button>
      <NextShare size={size} />
    </>
  )
}
