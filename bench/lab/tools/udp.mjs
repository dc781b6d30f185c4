// Tools that send over UDP without a code.
import { basename, join } from 'node:path'
import { compiled } from '../compiled.mjs'

const udtPort = 9000
/** uftp is told its rate; on a direct link people choose one. */
const uftpDirectMbit = 400
/** Of the wire's rate, as its users configure it: its own headers and answers have to fit. */
const uftpShare = 0.93
const uftpBuffer = String(8 << 20)

export const uftp = {
  name: 'uftp',
  about: `uftp, which sends at a rate that it is told: ${uftpShare * 100}% of the path's, ${uftpDirectMbit} Mbit/s on a direct link`,
  needs: ['uftp', 'uftpd'],
  install: 'apt-get install uftp',
  daemons: (lab) => [
    {
      place: 'receiver',
      argv: [
        ...['uftpd', '-d', '-I', 'e0', '-D', lab.out, '-B', uftpBuffer],
        ...['-L', join(lab.work, 'uftpd.log'), '-T', lab.work],
      ],
      port: 1044,
    },
  ],
  send: (lab) => {
    const kilobits = Math.round((lab.path?.rate ?? uftpDirectMbit / uftpShare) * uftpShare * 1000)
    const to = lab.address('receiver')
    const how = ['-I', 'e0', '-M', to, '-P', to, '-B', uftpBuffer, '-Y', 'none']
    return ['uftp', '-R', String(kilobits), ...how, basename(lab.source)]
  },
}

export const udt = {
  name: 'udt',
  about: 'the smallest program that sends files by UDT 4, with its own settings',
  needs: ['c++'],
  header: '/usr/include/udt/udt.h',
  install: 'apt-get install libudt-dev',
  daemons: (lab) => [
    {
      place: 'receiver',
      argv: [
        compiled('udt', { libraries: ['udt', 'pthread'] }),
        'receive',
        String(udtPort),
        lab.out,
      ],
      port: udtPort,
    },
  ],
  send: (lab) => [
    ...[compiled('udt', { libraries: ['udt', 'pthread'] }), 'send'],
    ...[lab.address('receiver'), String(udtPort), lab.source],
  ],
}
