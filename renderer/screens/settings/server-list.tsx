/** The list of servers: choose, add, remove. */
import { useState } from 'react'
import { formatList } from '#shared/format/format'
import { defaultProfile, usedServerUrl } from '#shared/settings/server-choice'
import type { ServerProfile } from '#shared/settings/settings'
import { serverName } from '#shared/signaling/server-url'
import { hasStopped } from '#shared/state/queries'
import { changeSettings, useFixedServers, useSettings } from '../../actions/settings-actions'
import { Button } from '../../components/button'
import { SettingGroup, SettingRow } from '../../components/setting-rows'
import { useAppStore } from '../../store/app-store'
import { text } from '../../text'
import { PasswordForm } from './password-form'
import { ServerForm } from './server-form'

export function ServerList() {
  const { servers, defaultServer } = useSettings('network')
  const { given, builtIn } = useFixedServers()
  const [isAdding, setIsAdding] = useState(false)
  const words = text.settings.network
  const hasDefault = servers.some(({ name }) => name === defaultServer)
  const used = given === null ? defaultProfile({ servers, defaultServer }, builtIn) : null
  const hidden = new Set(servers.map(({ name }) => name))
  const comesAlong = builtIn.filter(({ name }) => !hidden.has(name))
  /** A built-in server becomes one of the person's own, so that the settings hold its password. */
  const change = (changed: ServerProfile): void => {
    const isOwn = servers.some(({ name }) => name === changed.name)
    const others = servers.map((one) => (one.name === changed.name ? changed : one))
    const stays = used?.name === changed.name ? { defaultServer: changed.name } : {}
    void changeSettings({ network: { servers: isOwn ? others : [...servers, changed], ...stays } })
  }
  const isEmpty = servers.length + comesAlong.length === 0
  return (
    <SettingGroup title={words.servers}>
      {given !== null && <p className="setting-note">{words.given(serverName(given))}</p>}
      {servers.map((server) => (
        <ServerRow
          key={server.name}
          server={server}
          isUsed={server === used}
          onChange={change}
          onRemove={() => {
            const rest = servers.filter(({ name }) => name !== server.name)
            const without = server.name === defaultServer ? { defaultServer: null } : {}
            void changeSettings({ network: { servers: rest, ...without } })
          }}
        />
      ))}
      {comesAlong.map((server) => (
        <ServerRow key={server.name} server={server} isUsed={server === used} onChange={change} />
      ))}
      <KeptServers />
      {isAdding ? (
        <ServerForm
          taken={[...servers, ...comesAlong].map(({ name }) => name)}
          onCancel={() => setIsAdding(false)}
          onAdd={(server) => {
            setIsAdding(false)
            const first = hasDefault ? {} : { defaultServer: server.name }
            void changeSettings({ network: { servers: [...servers, server], ...first } })
          }}
        />
      ) : (
        <SettingRow
          label={isEmpty ? words.noServers : words.anotherServer}
          about={isEmpty ? words.noServersAbout : undefined}
        >
          <Button onClick={() => setIsAdding(true)}>{words.addServer}</Button>
        </SettingRow>
      )}
    </SettingGroup>
  )
}

/** Notes running shares that use a different server than the next share will. */
function KeptServers() {
  const network = useSettings('network')
  const used = usedServerUrl(useFixedServers(), network)
  const shares = useAppStore(({ state }) => state?.shares) ?? []
  const words = text.settings.network
  const others = shares.flatMap((share) =>
    hasStopped(share) || share.code === null || share.server === used
      ? []
      : [share.server === null ? words.keptNone : serverName(share.server)],
  )
  return others.length === 0 ? null : (
    <p className="setting-note">{words.kept(formatList([...new Set(others)], 'and'))}</p>
  )
}

/** Built-in servers have no `onRemove`. */
function ServerRow({
  server,
  isUsed,
  onChange,
  onRemove,
}: {
  readonly server: ServerProfile
  readonly isUsed: boolean
  readonly onChange: (server: ServerProfile) => void
  readonly onRemove?: () => void
}) {
  const { name, url, fallbacks, password } = server
  const [isTyping, setIsTyping] = useState(false)
  const words = text.settings.network
  return (
    <>
      <div className="setting-row" role="group" aria-label={name}>
        <div className="grow">
          <span className="setting-label">{name}</span>
          <p>
            {words.inOrder([url, ...fallbacks].map(serverName))}
            {onRemove === undefined && ` · ${words.builtIn}`}
          </p>
        </div>
        {isUsed ? (
          <span className="sub">{words.used}</span>
        ) : (
          <Button
            onClick={() => {
              void changeSettings({ network: { defaultServer: name } })
            }}
          >
            {words.useServer}
          </Button>
        )}
        <Button variant="ghost" onClick={() => setIsTyping(true)}>
          {password === undefined ? words.enterPassword : words.changePassword}
        </Button>
        {onRemove !== undefined && (
          <Button variant="ghost" onClick={onRemove}>
            {words.removeServer}
          </Button>
        )}
      </div>
      {isTyping && (
        <PasswordForm
          server={server}
          onSave={(changed) => {
            setIsTyping(false)
            onChange(changed)
          }}
          onCancel={() => setIsTyping(false)}
        />
      )}
    </>
  )
}
