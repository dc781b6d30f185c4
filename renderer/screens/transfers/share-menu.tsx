import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { formatDuration } from '#shared/format/format'
import { limits } from '#shared/limits'
import { codeLives } from '#shared/settings/share-options'
import type { Share } from '#shared/state/app-state'
import { changeCode, setMaxReceivers, watchShare } from '../../actions/share-actions'
import { IconButton } from '../../components/button'
import { Choice } from '../../components/choice'
import { later } from '../../components/later'
import { NumberField } from '../../components/number-field'
import { Popover } from '../../components/popover'
import { Tick } from '../../components/tick'
import { text } from '../../text'
import { useNow } from '../../use-now'

const NewCode = later(async () => (await import('./new-code')).NewCode)

/** The number of receivers, admission of new ones, and the code. */
export function ShareMenu({ share }: { readonly share: Share }) {
  const { id, maxReceivers, watch = false } = share
  const isOpenToNew = maxReceivers > 0
  // The limit to return to when new receivers are admitted again.
  const [most, setMost] = useState(isOpenToNew ? maxReceivers : limits.receiversPerShare)
  return (
    <Popover
      name={text.share.more}
      trigger={({ onClick, expanded }) => (
        <IconButton name={text.share.more} icon={Ellipsis} expanded={expanded} onClick={onClick} />
      )}
    >
      {(close) => (
        <div className="settings">
          <Tick state={watch} onToggle={() => void watchShare(id, !watch)}>
            {text.share.watch}
          </Tick>
          <p className="sub">{text.share.watchAbout}</p>
          {share.code !== null && share.codeEnd === null && <CodeRules share={share} />}
          <Tick
            state={isOpenToNew}
            onToggle={() => {
              void setMaxReceivers(id, isOpenToNew ? 0 : most)
            }}
          >
            {text.share.acceptNew}
          </Tick>
          <p className="sub">{text.share.acceptNewAbout}</p>
          {isOpenToNew && (
            <label className="setting">
              {text.share.maxReceivers}
              <NumberField
                value={most}
                least={1}
                most={limits.maxReceiversPerShare}
                onChange={(count) => {
                  setMost(count)
                  void setMaxReceivers(id, count)
                }}
              />
            </label>
          )}
          {share.code !== null && !share.guesses.spent && <NewCode share={share} onDone={close} />}
        </div>
      )}
    </Popover>
  )
}

type Life = keyof typeof codeLives

/** The receivers that a code admits, and its lifetime, which restarts when it is chosen. */
function CodeRules({
  share: { id, oneReceiver, approve, codeEndsAtMs },
}: {
  readonly share: Share
}) {
  const nowMs = useNow(codeEndsAtMs !== null)
  const [life, setLife] = useState<Life | ''>('')
  const { expires, expiresIn, lives, unchanged } = text.share
  const names = Object.keys(codeLives) as Life[]
  return (
    <>
      <Tick
        state={oneReceiver}
        onToggle={() => {
          void changeCode(id, { oneReceiver: !oneReceiver })
        }}
      >
        {text.share.oneReceiver}
      </Tick>
      <p className="sub">{text.share.oneReceiverAbout}</p>
      <Tick
        state={approve}
        onToggle={() => {
          void changeCode(id, { approve: !approve })
        }}
      >
        {text.share.approve}
      </Tick>
      <p className="sub">{text.share.approveAbout}</p>
      <div className="setting">
        {expires}
        <Choice
          name={expires}
          value={life}
          options={[['', unchanged], ...names.map((name) => [name, lives[name]] as const)]}
          onChange={(chosen) => {
            setLife(chosen)
            if (chosen !== '') void changeCode(id, { codeLifeMs: codeLives[chosen] })
          }}
        />
      </div>
      {codeEndsAtMs !== null && (
        <p className="sub">{expiresIn(formatDuration(Math.max(0, codeEndsAtMs - nowMs)))}</p>
      )}
    </>
  )
}
