/** The choice of a proxy: the system's, none, or one that a person types. */
import { useId, useState } from 'react'
import { describeError } from '#shared/describe-error'
import { parseProxySetting, type ProxyAddress, proxyName } from '#shared/settings/proxy-url'
import { usedServerUrl } from '#shared/settings/server-choice'
import { serverName } from '#shared/signaling/server-url'
import { changeSettings, useFixedServers, useSettings } from '../../actions/settings-actions'
import { Button } from '../../components/button'
import { FormField } from '../../components/form-field'
import { ChoiceRow, SettingGroup, SettingRow } from '../../components/setting-rows'
import { useAppStore } from '../../store/app-store'
import { text } from '../../text'
import { draftOf, proxyFrom, type ProxyRefusal, withField } from '../../view/proxy-draft'
import { CheckResult, useServerCheck } from './server-check'

const choices = ['system', 'none', 'own'] as const

/** `null` for the default. */
const change = (proxy: string | null): void => {
  void changeSettings({ network: { proxy } })
}

export function ProxyGroup() {
  const setting = parseProxySetting(useSettings('network').proxy)
  const [isTyping, setIsTyping] = useState(false)
  const own = typeof setting === 'string' ? null : setting
  const set = typeof setting === 'string' ? setting : 'own'
  const isOpen = isTyping || setting === null
  const words = text.settings.network.proxy
  return (
    <SettingGroup>
      <ChoiceRow
        label={words.label}
        about={words.about}
        value={isTyping ? 'own' : set}
        options={choices.map((choice) => [choice, words.choices[choice]])}
        onChange={(chosen) => {
          setIsTyping(chosen === 'own' && own === null)
          if (chosen !== 'own') change(chosen === 'system' ? null : chosen)
        }}
      />
      {setting === null && <p className="setting-note">{words.broken}</p>}
      {isOpen ? (
        <ProxyForm
          before={own}
          onUse={(typed) => {
            setIsTyping(false)
            change(typed)
          }}
          onCancel={setting !== null && (() => setIsTyping(false))}
        />
      ) : (
        own !== null && (
          <OwnProxy key={proxyName(own)} proxy={own} onChange={() => setIsTyping(true)} />
        )
      )}
      <ProxyError />
    </SettingGroup>
  )
}

/** The typed proxy. It can be tried if a server is configured. */
function OwnProxy({
  proxy,
  onChange,
}: {
  readonly proxy: ProxyAddress
  readonly onChange: () => void
}) {
  const server = usedServerUrl(useFixedServers(), useSettings('network'))
  const { check, begin } = useServerCheck()
  const words = text.settings.network.proxy
  return (
    <>
      <SettingRow
        label={proxyName(proxy)}
        about={proxy.user === '' ? words.anonymous : words.signsIn(proxy.user)}
      >
        {server !== null && (
          <Button
            isDisabled={check === 'running'}
            onClick={() =>
              begin({
                name: serverName(server).slice(0, 64),
                url: server,
                fallbacks: [],
                stun: [],
                turn: [],
              })
            }
          >
            {text.settings.network.test}
          </Button>
        )}
        <Button onClick={onChange}>{text.actions.change}</Button>
      </SettingRow>
      <CheckResult
        check={check}
        {...(isUnused(check)
          ? { good: words.unused }
          : { good: words.works, bad: words.behind(serverName(server ?? '')) })}
      />
    </>
  )
}

const isUnused = (check: ReturnType<typeof useServerCheck>['check']): boolean =>
  check !== null && check !== 'running' && check.proxy === null

/** The reason why the server can't be reached, if the proxy causes it. */
function ProxyError() {
  const server = useAppStore(({ state }) => state?.server)
  const error = server?.phase === 'unreachable' ? server.error : null
  const isOfProxy = error?.code.startsWith('E_PROXY_') === true
  if (error === null || !isOfProxy) return null
  const { what, remedy } = describeError(error)
  return (
    <p className="setting-note setting-error" role="status">
      <strong>{what}</strong> {remedy}
    </p>
  )
}

/** Saved as a whole, because a user without a password would only be refused. */
function ProxyForm({
  before,
  onUse,
  onCancel,
}: {
  readonly before: ProxyAddress | null
  readonly onUse: (setting: string) => void
  /** False if there is no other setting to return to. */
  readonly onCancel: (() => void) | false
}) {
  const [draft, setDraft] = useState(() => draftOf(before))
  const [refusal, setRefusal] = useState<ProxyRefusal | null>(null)
  const refusalId = useId()
  const words = text.settings.network.proxy
  const field = (
    key: 'address' | 'user' | 'password',
    placeholder: string,
    refusals: readonly ProxyRefusal[],
  ) => {
    const isWrong = refusal !== null && refusals.includes(refusal)
    return (
      <FormField
        label={words.fields[key]}
        placeholder={placeholder}
        value={draft[key]}
        type={key === 'password' ? 'password' : 'text'}
        autoFocus={key === 'address'}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? refusalId : undefined}
        onChange={(value) => {
          setDraft(withField(draft, key, value))
          setRefusal(null)
        }}
      />
    )
  }
  return (
    <form
      className="setting-form"
      onSubmit={(event) => {
        event.preventDefault()
        const setting = proxyFrom(draft)
        if (setting.ok) onUse(setting.value)
        else setRefusal(setting.error)
      }}
    >
      {field('address', 'http://proxy.example.org:8080', ['address'])}
      {field('user', words.optional, ['user', 'credentials'])}
      {field('password', draft.keepsPassword ? words.kept : words.optional, ['credentials'])}
      <p role="alert" id={refusalId}>
        {refusal !== null && words.refusals[refusal]}
      </p>
      <div className="form-buttons">
        {onCancel !== false && (
          <Button variant="ghost" onClick={onCancel}>
            {text.actions.cancel}
          </Button>
        )}
        <button type="submit" className="btn primary medium">
          {words.use}
        </button>
      </div>
    </form>
  )
}
