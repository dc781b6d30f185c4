import { Gauge } from 'lucide-react'
import { useState } from 'react'
import { formatRate } from '#shared/format/format'
import type { SpeedLimits as Limits } from '#shared/state/app-state'
import { setSpeedLimits } from './actions/actions'
import { Choice } from './components/choice'
import { Icon } from './components/icon'
import { NumberField } from './components/number-field'
import { Popover } from './components/popover'
import { useAppStore } from './store/app-store'
import { text } from './text'

const MB = 1_000_000
const presets = [1, 5, 10, 25, 50].map((figure) => figure * MB)
/** The highest custom limit in MB/s: a higher one would limit nothing. */
const maxCustomMB = 100_000

/** The limits of all transfers together; the button shows the ones in force. */
export function SpeedLimits() {
  const limits = useAppStore(({ state }) => state?.speedLimits)
  if (limits === undefined) return null
  const isLimited = limits.upload > 0 || limits.download > 0
  return (
    <Popover
      name={text.speed.title}
      trigger={({ onClick, expanded }) => (
        <button
          type="button"
          className="btn ghost small"
          aria-label={text.speed.title}
          aria-expanded={expanded}
          onClick={onClick}
        >
          <Icon of={Gauge} />
          {isLimited && limitWords(limits)}
        </button>
      )}
    >
      {() => (
        <div className="settings">
          <Limit
            name={text.speed.upload}
            customName={text.speed.customUpload}
            value={limits.upload}
            onChange={(upload) => void setSpeedLimits({ ...limits, upload })}
          />
          <Limit
            name={text.speed.download}
            customName={text.speed.customDownload}
            value={limits.download}
            onChange={(download) => void setSpeedLimits({ ...limits, download })}
          />
          <p className="sub">{text.speed.about}</p>
        </div>
      )}
    </Popover>
  )
}

/** `↑ 5.0 MB/s  ↓ 1.0 MB/s` */
const limitWords = ({ upload, download }: Limits): string =>
  [['↑', upload] as const, ['↓', download] as const]
    .filter(([, rate]) => rate > 0)
    .map(([arrow, rate]) => `${arrow} ${formatRate(rate)}`)
    .join('  ')

type LimitProps = {
  readonly name: string
  readonly customName: string
  readonly value: number
  readonly onChange: (value: number) => void
}

function Limit({ name, customName, value, onChange }: LimitProps) {
  const isPreset = value === 0 || presets.includes(value)
  const [isCustom, setIsCustom] = useState(!isPreset)
  const options = [
    ['0', text.speed.none] as const,
    ...presets.map((rate) => [rate.toString(), formatRate(rate)] as const),
    ['custom', text.speed.custom] as const,
  ]
  return (
    <div className="setting">
      <span className="grow">{name}</span>
      {isCustom && (
        <>
          <NumberField
            value={Math.max(1, Math.round(value / MB))}
            least={1}
            most={maxCustomMB}
            name={customName}
            onChange={(figure) => onChange(figure * MB)}
          />
          <span className="sub">{text.speed.unit}</span>
        </>
      )}
      <Choice
        name={name}
        value={isCustom ? 'custom' : value.toString()}
        options={options}
        onChange={(choice) => {
          setIsCustom(choice === 'custom')
          if (choice !== 'custom') onChange(Number(choice))
        }}
      />
    </div>
  )
}
