/** The files of `signaling/deploy`: the server accepts their settings, and they grant no more rights than needed. */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { serverRelayPathOf } from '#shared/signaling/paths'
import { configSettings, readInvocation } from '#signaling/config/invocation'

const deploy = fileURLToPath(new URL('../deploy/', import.meta.url))
const build = fileURLToPath(new URL('../../build/server/', import.meta.url))
const read = (name: string): string => readFileSync(join(deploy, name), 'utf8')

/** Variables that the server reads. */
const variables = new Set([...configSettings().map(({ env }) => env), 'THRU_LOG_LEVEL'])

/** A temporary folder for this test. */
function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'thru-deploy-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** A file with the secret, for settings that take one. */
function secretFile(): string {
  const path = join(ownFolder(), 'turn-secret')
  writeFileSync(path, 'a-secret-of-some-length\n')
  return path
}

it('settings.toml is valid for the server', () => {
  const secret = secretFile()
  const settings = `${secret}.toml`
  writeFileSync(settings, read('settings.toml').replace('/run/secrets/turn-secret', secret))
  const env = { THRU_TURN_URL: 'turn:relay.example.org', REDIS_URL: 'redis://redis:6379' }
  expect(readInvocation(['--config', settings], env)).toMatchObject({
    value: { config: { host: '0.0.0.0', port: 8080, turnSecret: 'a-secret-of-some-length' } },
  })
})

type Service = {
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly [key: string]: unknown
}

describe('compose.yaml', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>
  }

  it.each(Object.keys(services))('gives %s no more than it needs', (name) => {
    expect(services[name]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.any(String) as string,
      restart: 'unless-stopped',
    })
    expect(services[name]?.['privileged']).toBeUndefined()
  })

  it('routes both sides of a server relay to the named node', () => {
    const caddyfile = read('caddy/Caddyfile')
    const routes = [
      ...caddyfile.matchAll(/handle \/v1\/server-relay\/(\S+) \{\s+reverse_proxy \{\$(\w+)\}/g),
    ]
    expect(routes.map(([, name]) => name)).toEqual(['signaling-1', 'signaling-2'])
    for (const [, name = '', variable = ''] of routes) {
      expect(services[name]?.environment).toMatchObject({ THRU_NODE_NAME: name })
      const [port = ''] = (services[name]?.['ports'] ?? []) as readonly string[]
      expect(port).toBe(`${services['caddy']?.environment?.[variable]}:8080`)
    }
  })

  it('has two nodes with valid variables, and every file that it names', () => {
    const nodes = Object.keys(services).filter((name) => name.startsWith('signaling-'))
    expect(nodes).toEqual(['signaling-1', 'signaling-2'])
    for (const node of nodes) {
      for (const variable of Object.keys(services[node]?.environment ?? {})) {
        expect(variables).toContain(variable)
      }
    }
    for (const { volumes = [] } of Object.values(services)) {
      for (const [file = ''] of volumes.map((volume) => volume.split(':'))) {
        if (file.startsWith('./')) expect(existsSync(join(deploy, file)), file).toBe(true)
      }
    }
  })
})

describe.skipIf(process.platform === 'win32')('prepare.sh', () => {
  const prepareIn = (folder: string, ...before: readonly string[]) => {
    copyFileSync(join(deploy, 'prepare.sh'), join(folder, 'prepare.sh'))
    const script = [...before, './prepare.sh meet.test relay.test'].join('\n')
    expect(spawnSync('sh', ['-ec', script], { cwd: folder }).status).toBe(0)
    const at = (name: string) => join(folder, name)
    const mode = (name: string) => statSync(at(name)).mode & 0o777
    const content = (name: string) => readFileSync(at(name), 'utf8')
    const [, said = ''] =
      /^requirepass ([0-9a-f]{64})\n$/.exec(content('secrets/redis-password')) ?? []
    const [, url = ''] = /^REDIS_URL=(.*)$/m.exec(content('.env')) ?? []
    return { mode, content, said, url }
  }

  it('creates one password for Redis and its nodes that others cannot read', () => {
    const { mode, said, url } = prepareIn(ownFolder())
    expect(url).toBe(`redis://:${said}@redis:6379`)
    expect([mode('.env'), mode('secrets'), mode('secrets/turn-secret')]).toEqual([
      ...[0o600, 0o700, 0o600],
    ])
    const env = { REDIS_URL: url, THRU_TURN_URL: '' }
    expect(readInvocation([], env)).toMatchObject({ value: { config: { redis: url } } })
  })

  it('creates a new one each time, and keeps existing files', () => {
    const folder = ownFolder()
    const first = prepareIn(folder)
    expect(prepareIn(folder).content('.env')).toBe(first.content('.env'))
    expect(prepareIn(ownFolder()).said).not.toBe(first.said)
  })

  it('adds the password to a service that had none', () => {
    const earlier = ['umask 022', 'mkdir secrets', 'echo a >secrets/turn-secret', 'echo A=1 >.env']
    const { mode, content, said, url } = prepareIn(ownFolder(), ...earlier)
    expect(url).toContain(said)
    expect(content('.env')).toMatch(/^A=1\nREDIS_URL=/)
    expect(content('secrets/turn-secret')).toBe('a\n')
    expect([mode('.env'), mode('secrets')]).toEqual([0o600, 0o700])
  })
})

it.skipIf(process.platform === 'win32')('update.sh gives an older service a password', () => {
  const folder = ownFolder()
  for (const script of ['prepare.sh', 'update.sh'])
    copyFileSync(join(deploy, script), join(folder, script))
  for (const program of ['docker', 'curl'])
    writeFileSync(join(folder, program), '#!/bin/sh\n', { mode: 0o755 })
  const before = 'THRU_NAME=meet.test\nRELAY_NAME=relay.test\nCADDY_OPTIONS=email you@meet.test\n'
  writeFileSync(join(folder, '.env'), before)
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}`, THRU_SETTLE: '0' }
  const { status, stderr } = spawnSync('sh', ['update.sh'], { cwd: folder, env, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  expect(readFileSync(join(folder, '.env'), 'utf8')).toMatch(
    /^THRU_NAME=meet\.test\nRELAY_NAME=relay\.test\nCADDY_OPTIONS=email you@meet\.test\nREDIS_URL=redis:/,
  )
})

it('admits no client to Redis without the password', () => {
  const compose = parse(read('compose.yaml'), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>
    readonly secrets: Readonly<Record<string, { readonly file: string }>>
  }
  const { redis } = compose.services
  expect(redis?.['command']).toEqual(
    expect.arrayContaining(['--include', '/run/secrets/redis-password']),
  )
  expect(redis?.['secrets']).toEqual(['redis-password'])
  expect(compose.secrets['redis-password']?.file).toBe('./secrets/redis-password')
  for (const node of ['signaling-1', 'signaling-2'])
    expect(compose.services[node]?.environment?.['REDIS_URL']).toMatch(/^\$\{REDIS_URL:\?/)
})

type Container = {
  readonly env?: readonly { readonly name: string }[]
  readonly [key: string]: unknown
}
type Manifest = {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec?: {
    readonly replicas?: number
    readonly selector?: unknown
    readonly podSelector?: { readonly matchLabels: Readonly<Record<string, string>> }
    readonly policyTypes?: readonly string[]
    readonly ingress?: readonly { readonly from?: readonly unknown[]; readonly ports: unknown }[]
    readonly rules?: readonly { readonly http: { readonly paths: readonly unknown[] } }[]
    readonly template?: { readonly spec: { readonly containers: readonly Container[] } }
  }
}

describe('the manifests for Kubernetes', () => {
  const folder = join(deploy, 'kubernetes')
  const { resources } = parse(read('kubernetes/kustomization.yaml')) as {
    readonly resources: readonly string[]
  }
  const manifests = resources.flatMap((name) =>
    parseAllDocuments(readFileSync(join(folder, name), 'utf8')).map(
      (document) => document.toJS() as Manifest,
    ),
  )
  const containers = manifests.flatMap(({ spec }) => spec?.template?.spec.containers ?? [])

  it('give each container a memory limit, probes, and no privileges', () => {
    expect(containers).toHaveLength(3)
    for (const container of containers) {
      expect(container).toMatchObject({
        readinessProbe: expect.anything() as object,
        livenessProbe: expect.anything() as object,
        resources: { limits: { memory: expect.any(String) as string } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      })
    }
  })

  it('give the nodes only valid settings', () => {
    const [node] = containers
    for (const { name } of node?.env ?? []) expect(variables).toContain(name)
    const args = node?.['args'] as readonly string[]
    const given = args.map((arg) => (arg.startsWith('/run/') ? secretFile() : arg))
    const env = { THRU_TURN_URL: 'turn:relay.example.org', THRU_TRUST_PROXY: '10.0.0.0/8' }
    expect(readInvocation(given, env).ok).toBe(true)
  })

  it('trust no proxy that the operator has not named', () => {
    const { configMapGenerator } = parse(read('kubernetes/kustomization.yaml')) as {
      readonly configMapGenerator: readonly { readonly literals?: readonly string[] }[]
    }
    const literals = configMapGenerator.flatMap((map) => map.literals ?? [])
    expect(literals).toContain('THRU_SERVER_RELAYS=0')
    expect(literals.filter((literal) => literal.startsWith('THRU_TRUST_PROXY'))).toEqual([])
    expect(containers[0]?.env).toContainEqual({
      name: 'THRU_TRUST_PROXY',
      valueFrom: {
        configMapKeyRef: { name: 'thruflux', key: 'THRU_TRUST_PROXY', optional: true },
      },
    })
  })

  it('admit only the clients that they name, and give Redis its password', () => {
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy')
    const guarded = policies.map(({ spec }) => spec?.podSelector?.matchLabels['app'])
    expect(guarded).toEqual(['redis', 'signaling'])
    for (const { spec } of policies) {
      expect(spec?.policyTypes).toContain('Ingress')
      for (const { from = [], ports } of spec?.ingress ?? []) {
        expect(ports).toHaveLength(1)
        expect(from).toHaveLength(1)
        // An empty selector would match everything.
        expect(JSON.stringify(from)).toMatch(/"matchLabels":\{"/)
        expect(JSON.stringify(from)).not.toMatch(/Selector":\{\}/)
      }
    }
    expect(containers.find(({ image }) => String(image).startsWith('redis:'))?.['command']).toEqual(
      expect.arrayContaining(['--include', '/run/secrets/thruflux/redis-password']),
    )
    expect(containers[0]?.env).toContainEqual({
      name: 'REDIS_URL',
      valueFrom: { secretKeyRef: { name: 'redis', key: 'redis-url' } },
    })
  })

  it('route both sides of a server relay to its node, which has the name of its pod', () => {
    const nodes = manifests.find(({ kind }) => kind === 'StatefulSet')
    const count = nodes?.spec?.replicas ?? 0
    const paths = manifests
      .flatMap(({ spec }) => spec?.rules ?? [])
      .flatMap((rule) => rule.http.paths)
    expect(count).toBeGreaterThan(1)
    expect(paths).toHaveLength(count + 1)
    for (const name of Array.from({ length: count }, (_, index) => `signaling-${index}`)) {
      const port = { name: 'clients' }
      expect(paths).toContainEqual({
        ...{ path: serverRelayPathOf(name), pathType: 'Exact' },
        backend: { service: { name, port } },
      })
      expect(
        manifests.find(({ kind, metadata }) => kind === 'Service' && metadata.name === name)?.spec,
      ).toMatchObject({ selector: { 'statefulset.kubernetes.io/pod-name': name } })
    }
    const said = nodes?.spec?.template?.spec.containers[0]?.env ?? []
    expect(nodes?.metadata.name).toBe('signaling')
    expect(said).toContainEqual({
      name: 'THRU_NODE_NAME',
      valueFrom: { fieldRef: { fieldPath: 'metadata.name' } },
    })
  })
})

it('offers clients only relays that listen and have a certificate for TLS', () => {
  const compose = parse(read('compose.yaml'), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>
  }
  const { environment } = compose.services['coturn'] ?? {}
  const said = String(compose.services['signaling-1']?.environment?.['THRU_TURN_URL'])
  const port = environment?.['RELAY_TLS_PORT'] ?? ''
  expect(said).toContain(`,turns:\${RELAY_NAME}:${port}?transport=tcp`)
  const certificate = read('kubernetes/relay-certificate.yaml')
  const [, name = ''] = /dnsNames: \[(.*)\]/.exec(certificate) ?? []
  expect(read('kubernetes/kustomization.yaml')).toContain(`,turns:${name}:5349?transport=tcp\n`)
  const [, secret = ''] = /secretName: (.*)/.exec(certificate) ?? []
  expect(read('kubernetes/relay.yaml')).toContain(`secret: { secretName: ${secret},`)
})

it('limits relays as in docs/operating.md', () => {
  const said = read('coturn/turnserver.conf')
  const settingOf = (name: string): number =>
    Number(new RegExp(`^${name}=(\\d+)$`, 'm').exec(said)?.[1])
  const page = readFileSync(
    fileURLToPath(new URL('../../docs/operating.md', import.meta.url)),
    'utf8',
  )
  for (const bound of [
    `${settingOf('user-quota')} (\`user-quota\`)`,
    `${settingOf('total-quota').toLocaleString('en')} (\`total-quota\`)`,
    `${(settingOf('max-bps') * 8) / 1_000_000} Mbit/s (\`max-bps\`)`,
    `${settingOf('max-allocate-lifetime') / 60} min (\`max-allocate-lifetime\`)`,
  ]) {
    expect(page).toContain(`| ${bound} |`)
  }
  // It would leave a gigabit line two allocations.
  expect(said).not.toMatch(/^bps-capacity/m)
})

it('the unit for several nodes differs only in its port and name', () => {
  const several = read('systemd/thru-server@.service')
    .replace(/^#.*\n/gm, '')
    .replace(' at port %i', '')
    .replace(' --port %i --node-name %i', '')
  const one = readFileSync(join(build, 'thru-server.service'), 'utf8')
  expect(several).toBe(one.replace(/^#.*\n/gm, ''))
})
