import { SlidersHorizontal } from 'lucide-react'
import { limits } from '#shared/limits'
import { shareOptionsOf } from '#shared/settings/settings-defaults'
import { codeLives } from '#shared/settings/share-options'
import { useSettings } from '../../actions/settings-actions'
import { chooseForNext, forgetChoices } from '../../actions/share-actions'
import { Button } from '../../components/button'
import { Choice } from '../../components/choice'
import { Collapsible } from '../../components/collapsible'
import { NumberField } from '../../components/number-field'
import { Popover } from '../../components/popover'
import { Tick } from '../../components/tick'
import { useUiStore } from '../../store/ui-store'
import { text } from '../../text'

type Props = { readonly size: 'small' | 'large' }

/** Choices for the next share that override the settings. */
export function NextShare({ size }: Props) {
  const choices = useUiStore(({ nextShare }) => nextShare)
  const count = Object.keys(choices).length
  return (
    <Popover
      name={text.nextShare.title}
      trigger={({ onClick, expanded }) => (
        <Button
          variant="ghost"
          size={size}
          icon={SlidersHorizontal}
          expanded={expanded}
          onClick={onClick}
        >
          {count === 0 ? text.nextShare.button : text.nextShare.changed(count)}
        </Button>
      )}
    >
      {() => <Choices />}
    </Popover>
  )
}

type Life = keyof typeof codeLives
const lives = Object.keys(codeLives) as Life[]

function Choices() {
  const choices = useUiStore(({ nextShare }) => nextShare)
  const usual = shareOptionsOf(useSettings('sharing'))
  const { exclude = '', ...rest } = choices
  const { gitignore, oneReceiver, approve, codeLifeMs, maxReceivers } = { ...usual, ...rest }
  const words = text.nextShare
  return (
    <div className="settings next-share">
      <h2 className="label">{words.title}</h2>
      <label className="setting-lines">
        {words.exclude}
        <input
          className="text-field"
          type="text"
          maxLength={limits.pathBytes}
          placeholder={words.excludeExample}
          value={exclude}
          onChange={({ target }) => chooseForNext({ exclude: target.value })}
        />
      </label>
      {usual.exclude.length > 0 && (
        <p className="sub">{words.alsoExcluded(usual.exclude.join(', '))}</p>
      )}
      <Tick state={oneReceiver} onToggle={() => chooseForNext({ oneReceiver: !oneReceiver })}>
        {text.share.oneReceiver}
      </Tick>
      <Tick state={approve} onToggle={() => chooseForNext({ approve: !approve })}>
        {text.share.approve}
      </Tick>
      <div className="setting">
        {text.share.expires}
        <Choice
          name={text.share.expires}
          value={lives.find((life) => codeLives[life] === codeLifeMs) ?? '24h'}
          options={lives.map((life) => [life, text.settings.sharing.codeLives[life]])}
          onChange={(life) => chooseForNext({ codeLifeMs: codeLives[life] })}
        />
      </div>
      <label className="setting">
        {text.share.maxReceivers}
        <NumberField
          value={maxReceivers}
          least={1}
          most={limits.maxReceiversPerShare}
          onChange={(count) => chooseForNext({ maxReceivers: count })}
        />
      </label>
      <Collapsible title={text.preview.moreOptions}>
        <Tick state={gitignore} onToggle={() => chooseForNext({ gitignore: !gitignore })}>
          {words.gitignore}
        </Tick>
      </Collapsible>
      {Object.keys(choices).length > 0 && (
        <Button variant="ghost" size="small" onClick={forgetChoices}>
          {words.reset}
        </Button>
      )}
    </div>
  )
}
