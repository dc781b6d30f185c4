// Makes the package for Fedora, openSUSE and their derivatives.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { root } from '../../lib/cache.mjs'
import { runLogged } from '../../lib/run.mjs'
import { plainModes, sourceDate } from '../archive.mjs'
import { product } from '../product.mjs'
import { description } from './about.mjs'
import { neededBy } from './libraries.mjs'
import { appFolder } from './tree.mjs'

/** rpm's names of architectures. */
const architectures = { x64: 'x86_64', arm64: 'aarch64' }

const escaped = (name) => name.replace(/[.+]/g, '\\\\$&')

const script = (name) => readFileSync(join(root, 'build/linux', name), 'utf8')

/**
 * Returns the package's spec file. `own` are bundled libraries that it neither requires nor provides.
 * @param {{ version: string, tree: string, own: string[], substitute: boolean, quick: boolean }} asked
 */
export function specFile({ version, tree, own, substitute, quick }) {
  const names = own
    .filter((name) => /\.so(\.|$)/.test(name))
    .map(escaped)
    .join('|')
  return `
%global __requires_exclude ^(${names})(\\\\(.*)?$
%global __provides_exclude_from .*
%global __brp_strip %{nil}
%global debug_package %{nil}
%global _build_id_links none
%global __os_install_post %{nil}
%global _binary_payload ${quick ? 'w1.gzdio' : 'w19.zstdio'}
%global use_source_date_epoch_as_buildtime 1
%global clamp_mtime_to_source_date_epoch 1
%global _buildhost reproducible
Name: thruflux
Version: ${version.replace('-', '~')}
Release: 1
Summary: ${product.description}
License: MIT
URL: ${product.homepage}
Requires: xdg-utils
Recommends: libnotify

%description
${description({ substitute }).join('\n')}

%install
cp -a ${tree}/usr %{buildroot}/

%files
%defattr(-,root,root)
/usr/bin/*
/usr/${appFolder}
%dir /usr/share/*
/usr/share/*/*
%attr(4755,root,root) /usr/${appFolder}/chrome-sandbox

%post
${script('after-install.sh')}
%postun
${script('after-remove.sh')}
`
}

/** @param {{ prefix: string, work: string, file: string, version: string, arch: string, substitute: boolean, quick: boolean }} asked */
export async function makeRpm({ prefix, work, file, version, arch, substitute, quick }) {
  rmSync(work, { recursive: true, force: true })
  const tree = join(work, 'tree')
  mkdirSync(tree, { recursive: true })
  execFileSync('cp', ['-a', prefix, join(tree, 'usr')])
  const app = join(tree, 'usr', appFolder)
  cpSync(join(root, 'build/linux/apparmor'), join(app, 'apparmor'))
  writeFileSync(join(app, 'resources/package-type'), 'rpm')
  execFileSync('gzip', ['-9n', join(tree, 'usr/share/man/man1/thru.1')])
  plainModes(tree)
  chmodSync(join(app, 'chrome-sandbox'), 0o4755)
  const { own } = neededBy(app)
  const spec = join(work, 'thruflux.spec')
  writeFileSync(spec, specFile({ version, tree, own, substitute, quick }))
  const defines = [`_topdir ${work}/rpmbuild`, `_tmppath ${work}/tmp`]
  const args = [
    '-bb',
    '--target',
    architectures[arch],
    ...defines.flatMap((line) => ['--define', line]),
    spec,
  ]
  const env = { SOURCE_DATE_EPOCH: String(sourceDate()) }
  await runLogged('building the rpm', 'rpmbuild', args, { log: `${work}.log`, env })
  const folder = join(work, 'rpmbuild/RPMS', architectures[arch])
  renameSync(join(folder, readdirSync(folder)[0]), file)
  rmSync(work, { recursive: true })
}
