/** Errors for the person at the other side. */
import type { Translation } from '#shared/text/catalogue'
import type { SharedText } from '#shared/text/current'

/** Words for a person without a name; `subject` and `owner` recognize them. */
const receiver = '받는 사람'
const sender = '보내는 사람'

/** 님 takes the same particles whatever the name ends in; 사람 takes those of 님. */
const titled = (name: string): string => (name === receiver || name === sender ? name : `${name}님`)

const subject = (name: string): string => `${titled(name)}이`

const canReconnect = '같은 코드를 계속 쓸 수 있어요. 다 받은 파일은 남아 있어요.'

export const peerTexts: Translation<SharedText> = {
  receiverEnds: {
    E_DECLINED: (name) => ({
      what: `${subject(name)} 거절했어요.`,
      remedy: '보낸 파일은 없어요. 마음이 바뀌면 같은 코드를 쓰면 돼요.',
    }),
    E_BAD_ARGUMENT: (name) => ({
      what: `${subject(name)} 이 공유에 맞지 않게 파일을 골랐어요.`,
      remedy: '보낸 파일은 없어요. 상대가 같은 코드로 다시 고르면 돼요.',
    }),
    E_UNDECIDED: (name) => ({
      what: `${subject(name)} 확인하기를 기다리고 있어요.`,
      remedy: '공유를 열어 두세요. 알림을 보냈어요.',
    }),
    E_NO_BROWSERS: (name) => ({
      what: `${subject(name)} 브라우저로 받으려고 했어요.`,
      remedy: 'Thruflux에 같은 코드를 입력하면 돼요. 설정 > 공유에서 브라우저를 허용할 수 있어요.',
    }),
    E_REFUSED: (name) => ({
      what: `${titled(name)}의 요청을 거절했어요.`,
      remedy: '실수였다면 상대가 같은 코드를 다시 입력하면 돼요.',
    }),
    E_UNANSWERED: (name) => ({
      what: `${subject(name)} 너무 오래 기다렸어요.`,
      remedy: '상대가 같은 코드를 다시 입력하면 돼요.',
    }),
    E_STREAM_STARTED: (name) => ({
      what: `${subject(name)} 스트림이 시작된 뒤에 참여했어요.`,
      remedy: '--receivers로 모두를 기다리면서 다시 스트리밍하세요.',
    }),
    E_OUTPUT_CLOSED: (name) => ({
      what: `${titled(name)}의 컴퓨터에서 출력을 읽던 프로그램이 멈췄어요.`,
      remedy: '이미 시작된 스트림이 아니면 같은 코드를 계속 쓸 수 있어요.',
    }),
    E_CANCELLED: (name, percent) => ({
      what:
        percent === null
          ? `${subject(name)} 취소했어요.`
          : `${subject(name)} ${percent}에서 취소했어요.`,
      remedy: canReconnect,
    }),
    E_DISK_FULL: (name) => ({
      what: `${titled(name)}의 디스크 공간이 부족해요.`,
      remedy: '공간을 비우거나 다른 폴더를 선택한 뒤 코드를 다시 입력하면 돼요.',
    }),
    E_TARGET_NOT_WRITABLE: (name) => ({
      what: `${subject(name)} 선택한 폴더에 쓸 수 없어요.`,
      remedy: '다른 폴더를 선택한 뒤 코드를 다시 입력하면 돼요.',
    }),
    E_TARGET_GONE: (name) => ({
      what: `${subject(name)} 선택한 폴더가 없어졌어요.`,
      remedy: '드라이브를 다시 연결한 뒤 코드를 다시 입력하면 돼요.',
    }),
    E_FILE_TOO_LARGE: (name) => ({
      what: `${titled(name)}의 디스크에 담기에 너무 큰 파일이 있어요.`,
      remedy: '다른 파일 시스템을 쓰는 디스크의 폴더를 선택하면 돼요.',
    }),
    E_DISK_IO: (name) => ({
      what: `${titled(name)}의 디스크에서 오류가 났어요.`,
      remedy: '다른 디스크의 폴더를 선택한 뒤 코드를 다시 입력하면 돼요.',
    }),
    E_HASH_MISMATCH: (name) => ({
      what: `${subject(name)} 받은 내용이 도중에 손상됐어요.`,
      remedy: '코드를 다시 입력하면 돼요. 다 받은 파일은 남아 있어요.',
    }),
    E_BAD_MANIFEST: (name) => ({
      what: `${subject(name)} 파일 목록에 모순이 있어서 받지 않았어요.`,
      remedy: '두 컴퓨터에 최신 버전의 Thruflux를 설치하고 다시 공유하세요.',
    }),
    E_PEER_GONE: (name) => ({
      what: `${titled(name)}에게서 응답이 없어요.`,
      remedy: canReconnect,
    }),
  },

  peers: {
    receiver,
    sender,
    senderStopped: (name) => ({
      what: `${subject(name)} 공유를 중지했어요.`,
      remedy: '다시 공유하면 이어서 받거나 새 코드를 요청하세요. 다 받은 파일은 남아 있어요.',
    }),
    senderGone: (name) => ({
      what: `${titled(name)}에게서 응답이 없어요.`,
      remedy:
        '그 컴퓨터가 켜져 있고 연결되어 있는지 확인한 뒤 다시 시도하세요. 다 받은 파일이 있으면 그대로 남아 있어요.',
    }),

    badNameToSend: (item) => `${item}: 보낼 수 없는 이름이에요.`,
    badUnnamedToSend: '보낼 수 없는 이름의 항목이 있어요.',
    rootNotSent: (disk) => ({
      what: `${disk}: 디스크 전체는 보낼 수 없어요.`,
      remedy: '그 안의 파일과 폴더를 공유하세요.',
    }),
    renameAndShare: '이름을 바꾼 뒤 다시 공유하세요.',
    permitAndShare: '내 계정에 읽기 권한을 준 뒤 다시 공유하세요.',
    tooManyToSend: '공유 한도보다 파일과 폴더가 많아서 나머지는 빠졌어요.',

    file: '어떤 파일',
    missingAtSender: (file) => ({
      what: `보내는 사람의 컴퓨터에 ${file} 항목이 더 이상 없어요.`,
      remedy: '보내는 사람에게 다시 공유해 달라고 하세요.',
    }),
    unreadableAtSender: (file) => ({
      what: `보내는 사람의 컴퓨터에서 ${file} 항목을 읽을 수 없어요.`,
      remedy: '보내는 사람에게 권한을 확인하고 다시 공유해 달라고 하세요.',
    }),
    askForNew: '보내는 사람에게 다시 공유해 달라고 하세요.',
  },
}
