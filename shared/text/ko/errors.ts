/** Errors in Korean. A file's name precedes 항목, so that no particle depends on its last letter. */
import {
  type BadArgumentTexts,
  type BadCodeTexts,
  type BadWordsTexts,
  type CauseTexts,
  type ErrorTexts,
  fixed,
  named,
} from '#shared/text/error-text'

export const badCodes: BadCodeTexts = {
  notACode: {
    what: '참여 코드가 아니에요.',
    remedy: '4821-apple-kayak-onion처럼 숫자 하나와 단어 세 개로 입력하세요.',
  },
  notALink: {
    what: '알 수 없는 참여 링크예요.',
    remedy: '링크를 보낸 사람에게 코드를 물어보고 직접 입력하세요.',
  },
  notAWord: (word) => `"${word}": 참여 코드에 쓰지 않는 단어예요.`,
  checkWord: '코드를 준 사람에게 확인해 보세요.',
  didYouMean: (words) => `혹시 이 단어인가요? ${words}`,
}

export const badWords: BadWordsTexts = {
  notThree: {
    what: '코드에는 단어 세 개가 필요해요.',
    remedy: 'apple-kayak-onion처럼 단어 세 개를 고르세요. 숫자는 서버가 정해요.',
  },
  allEqual: {
    what: '같은 단어 세 개는 너무 쉽게 맞힐 수 있어요.',
    remedy: '서로 다른 단어를 고르세요.',
  },
  same: {
    what: '지금 코드와 같은 단어예요.',
    remedy: '다른 단어를 고르세요. 같은 단어면 누군가 맞히던 것을 이어서 할 수 있어요.',
  },
  another: '다른 단어를 고르세요.',
}

export const badArguments: BadArgumentTexts = {
  unnamed: '요청이 올바르지 않아요.',
  named: (subject) => `${subject}: 올바르지 않은 값이에요.`,
  remedy: '고친 뒤 다시 시도하세요.',
}

export const causes: CauseTexts = {
  'looked-on-network': fixed(
    '이 네트워크에 이 번호로 열려 있는 코드가 없고, 이 컴퓨터에는 다른 곳에서 찾을 방법이 없어요.',
    '상대방에게 번호를 확인하고, 다른 네트워크에 있다면 공개 만남 지점(--meeting)을 허용하거나 두 컴퓨터에 같은 서버를 설정하세요.',
  ),
  'looked-on-computer': fixed(
    '이 컴퓨터에 이 번호로 열려 있는 코드가 없고, 더 찾아볼 로컬 네트워크나 다른 방법이 없어요.',
    '상대방에게 번호를 확인하고, 공개 만남 지점(--meeting)을 허용하거나 두 컴퓨터에 같은 서버를 설정하세요.',
  ),
  'nobody-answers': fixed(
    '공개 만남 지점에서도 이 네트워크에서도 이 번호에 아무도 응답하지 않아요.',
    '상대방의 Thruflux가 아직 열려 있는지, 양쪽 모두 공개 만남 지점을 쓸 수 있는지 확인하세요.',
  ),
  'no-relay-at-meeting': fixed(
    '상대 컴퓨터를 찾았지만 두 네트워크가 직접 연결을 막고 있고, 공개 만남 지점은 파일을 전달하지 않아요.',
    '두 컴퓨터를 같은 네트워크에 연결하거나, 양쪽에서 IPv6를 쓰거나, 포트를 열어 주는 공유기를 쓰거나(Thruflux가 알아서 요청해요), 설정에서 TURN 서버(--turn-server)를 추가하세요.',
  ),
  'no-meeting-point': fixed(
    '응답하는 공개 만남 지점이 없어요.',
    '네트워크를 확인하거나 두 컴퓨터에 같은 서버를 설정하세요.',
  ),
  'server-refuses': named(
    (subject) => `${subject}: 연결이 거부됐어요. 거기에서 서버가 실행되고 있지 않아요.`,
    '연결이 거부됐어요. 이 주소에서 서버가 실행되고 있지 않아요.',
    '서버가 실행 중인지, 설정의 서버 주소가 맞는지 확인하세요.',
  ),
  'server-unknown': named(
    (subject) => `${subject}: 서버 이름을 찾을 수 없어요.`,
    '서버 이름을 찾을 수 없어요.',
    '설정의 서버 주소와 이 컴퓨터의 네트워크 연결을 확인하세요.',
  ),
  'no-way-to-server': named(
    (subject) => `이 네트워크에서는 ${subject} 서버에 갈 수 없어요.`,
    '이 네트워크에서는 서버에 갈 수 없어요.',
    '이 컴퓨터의 네트워크 연결과 설정의 서버 주소를 확인하세요.',
  ),
  'no-loopback': fixed(
    '이 컴퓨터의 루프백 네트워크가 꺼져 있어서 프로그램끼리 연결할 수 없어요.',
    '루프백을 켜거나(Linux에서는 "ip link set lo up") 설정 > 네트워크에서 서버를 설정하세요.',
  ),
  'link-loop': named(
    (subject) => `${subject} 항목은 자신이나 자신이 들어 있는 폴더를 가리키는 링크예요.`,
    '자신이나 자신이 들어 있는 폴더를 가리키는 링크가 있어요.',
    '링크를 빼세요.',
  ),
  'password-missing': named(
    (subject) => `${subject} 서버에는 비밀번호가 필요한데 설정되어 있지 않아요.`,
    '서버에 비밀번호가 필요한데 설정되어 있지 않아요.',
    '서버 관리자에게 비밀번호를 물어보고 설정 > 네트워크에서 입력하세요.',
  ),
  'password-wrong': named(
    (subject) => `설정된 비밀번호가 ${subject} 서버의 비밀번호와 달라요.`,
    '설정된 비밀번호가 서버의 비밀번호와 달라요.',
    '서버 관리자에게 비밀번호를 물어보고 설정 > 네트워크에서 입력하세요.',
  ),
  'is-a-file': named(
    (subject) => `${subject} 항목은 폴더가 아니라 파일이에요.`,
    '폴더가 아니라 파일이에요.',
    '폴더를 선택하세요.',
  ),
  'all-excluded': fixed(
    '제외 패턴이 모든 항목을 제외해서 보낼 것이 없어요.',
    '설정과 --exclude의 패턴, 그리고 .gitignore 파일을 확인하세요.',
  ),
  'leads-nowhere': named(
    (subject) => `${subject} 항목은 아무것도 가리키지 않는 링크예요.`,
    '아무것도 가리키지 않는 링크예요.',
    '다른 폴더를 선택하거나, 링크가 가리키는 드라이브를 연결하세요.',
  ),
  'in-the-way': named(
    (subject) =>
      `${subject} 항목을 저장할 수 없어요. 필요한 폴더와 이름이 같은 파일이나 링크가 있어요.`,
    '폴더를 만들 수 없어요. 이름이 같은 파일이나 링크가 있어요.',
    '그 파일이나 링크를 옮기거나 다른 폴더를 선택하세요.',
  ),
  'name-taken': named(
    (subject) => `${subject} 항목을 저장할 수 없어요. 이름이 같은 폴더나 특수 파일이 있어요.`,
    '파일을 저장할 수 없어요. 이름이 같은 폴더나 특수 파일이 있어요.',
    '이름이 같은 그 항목을 옮기거나 다른 폴더를 선택하세요.',
  ),
}

export const errors: ErrorTexts = {
  E_NO_SUCH_CODE: fixed(
    '이 번호로 열려 있는 코드가 없어요.',
    '상대방에게 확인하거나 코드 대신 참여 링크를 써 보세요. 코드가 끝났을 수도 있어요.',
  ),
  E_CODE_MISMATCH: fixed(
    '코드의 단어가 맞지 않아요.',
    '단어를 하나씩 확인하고 코드를 다시 입력하세요.',
  ),
  E_CODE_LOCKED: fixed(
    '50번 잘못 입력해서 이 코드가 잠겼어요.',
    '상대방에게 새 코드를 요청하세요.',
  ),
  E_OWN_CODE: fixed('내가 만든 코드예요.', '상대 컴퓨터에서 입력하세요.'),
  E_CODE_REQUESTS: fixed(
    '파일을 공유하는 코드가 아니라 보내 달라는 코드예요.',
    '보낼 파일을 선택하세요.',
  ),
  E_CODE_SHARES: fixed(
    '파일을 보내 달라는 코드가 아니라 공유하는 코드예요.',
    '받으려면 이 코드를 입력하세요.',
  ),
  E_CONTACT_UNKNOWN: fixed(
    '이 사람의 연락처에 더 이상 내가 없어요.',
    '코드를 받아서 연결한 다음, 원하면 서로 다시 추가하세요.',
  ),
  E_SIGNALING_ALTERED: fixed(
    '서버를 거치는 동안 메시지가 바뀌었어요.',
    '다시 시도하고, 또 그러면 설정에서 다른 서버를 선택하세요.',
  ),
  E_SERVER_UNCONFIRMED: named(
    (subject) => `이 링크는 아직 써 본 적 없는 ${subject} 서버를 사용해요.`,
    '이 링크는 아직 써 본 적 없는 서버를 사용해요.',
    '링크를 보낸 사람을 믿을 수 있을 때만 사용하세요.',
  ),
  E_SERVER_UNREACHABLE: named(
    (subject) => `${subject} 서버에서 응답이 없어요.`,
    '서버에서 응답이 없어요.',
    '이 컴퓨터의 네트워크 연결과 설정의 서버 주소를 확인하세요.',
  ),
  E_SERVER_IDENTITY: named(
    (subject) => `${subject} 서버의 인증서를 신뢰할 수 없어요.`,
    '서버의 인증서를 신뢰할 수 없어요.',
    '이 컴퓨터의 시계가 맞는지, 이 네트워크에 먼저 로그인해야 하는지 확인하세요.',
  ),
  E_SERVER_BUSY: fixed(
    '서버에 자리가 없어요.',
    '몇 분 뒤에 다시 시도하거나, 설정에서 다른 서버를 선택하세요.',
  ),
  E_SERVER_PROTOCOL: named(
    (subject) => `${subject}: 호환되는 Thruflux 서버가 아니에요.`,
    '호환되는 Thruflux 서버가 아니에요.',
    '설정의 서버 주소를 확인하고, 양쪽에 최신 버전의 Thruflux를 설치하세요.',
  ),
  E_SERVER_PASSWORD: named(
    (subject) => `${subject} 서버는 비밀번호를 아는 사람만 쓸 수 있어요.`,
    '이 서버는 비밀번호를 아는 사람만 쓸 수 있어요.',
    '서버 관리자에게 비밀번호를 물어보고 설정 > 네트워크에서 입력하세요.',
  ),
  E_PROXY_UNREACHABLE: named(
    (subject) => `${subject} 프록시에서 응답이 없어요.`,
    '프록시에서 응답이 없어요.',
    '설정이나 시스템의 프록시 주소가 맞는지, 프록시가 실행 중인지 확인하세요.',
  ),
  E_PROXY_AUTH: named(
    (subject) => `${subject} 프록시가 사용자 이름과 비밀번호를 받아들이지 않았어요.`,
    '프록시가 사용자 이름과 비밀번호를 받아들이지 않았어요.',
    '설정이나 프록시 주소(http://user:password@host:port)에서 둘 다 바로잡으세요.',
  ),
  E_PROXY_REFUSED: named(
    (subject) => `${subject} 프록시가 서버에 연결해 주지 않아요.`,
    '프록시가 서버에 연결해 주지 않아요.',
    '설정의 서버 주소를 확인하거나, 프록시 관리자에게 허용해 달라고 요청하세요.',
  ),
  E_RATE_LIMITED: fixed('짧은 시간에 너무 많이 시도했어요.', '1분 기다렸다가 다시 시도하세요.'),
  E_PATH_NOT_FOUND: named(
    (subject) => `${subject} 항목이 없어요.`,
    '파일이나 폴더가 없어요.',
    '이름이 맞는지, 드라이브가 연결되어 있는지 확인하세요.',
  ),
  E_PATH_UNREADABLE: named(
    (subject) => `${subject} 항목을 읽을 수 없어요.`,
    '읽을 수 없는 파일이나 폴더가 있어요.',
    '내 계정에 읽기 권한을 주거나, 이 항목을 빼고 공유하세요.',
  ),
  E_PATH_UNSUPPORTED: named(
    (subject) => `${subject} 항목은 파일도 폴더도 아니에요.`,
    '선택한 항목 중에 파일도 폴더도 아닌 것이 있어요.',
    '파일과 폴더를 선택하세요. 파이프, 소켓, 장치는 보낼 수 없어요.',
  ),
  E_LINK_OUTSIDE: named(
    (subject) => `${subject} 항목은 공유 밖을 가리키는 링크예요.`,
    '공유 밖을 가리키는 링크가 있어요.',
    '링크가 가리키는 내용을 보내거나(설정 > 공유), 링크를 빼세요.',
  ),
  E_NAME_NOT_ALLOWED: named(
    (subject) => `${subject}: 여기에서는 쓸 수 없는 파일 이름이에요.`,
    '여기에서는 쓸 수 없는 이름이 있어요.',
    '다른 이름을 고르거나, 보내는 사람에게 이름을 바꿔서 다시 공유해 달라고 하세요.',
  ),
  E_ATTRIBUTES_LEFT_OUT: named(
    (subject) => `${subject} 항목의 내용은 온전하지만, 확장 속성이 일부 빠졌어요.`,
    '파일의 내용은 온전하지만, 확장 속성이 일부 빠졌어요.',
    '확장 속성이 필요하면, 속성을 보존하는 압축 파일로 보내세요.',
  ),
  E_NOTHING_TO_SEND: fixed(
    '보낼 것이 없어요.',
    '읽을 수 있는 파일이나 폴더를 하나 이상 선택하세요.',
  ),
  E_SOURCE_CHANGED: named(
    (subject) => `공유한 뒤에 ${subject} 항목이 바뀌었어요.`,
    '공유한 뒤에 파일이 바뀌었어요.',
    '다시 공유하고, 다 받을 때까지 바꾸지 마세요.',
  ),
  E_TARGET_NOT_WRITABLE: named(
    (subject) => `${subject} 폴더에 쓸 수 없어요.`,
    '선택한 폴더에 쓸 수 없어요.',
    '다른 폴더를 선택하거나, 내 계정에 쓰기 권한을 주세요.',
  ),
  E_DISK_FULL: fixed(
    '디스크 공간이 부족해요.',
    '공간을 비우거나 다른 디스크의 폴더를 선택하세요. 다 받은 파일은 남아 있어요.',
  ),
  E_DISK_IO: named(
    (subject) => `${subject} 항목에서 디스크 오류가 났어요.`,
    '디스크 오류가 났어요.',
    '디스크와 케이블을 확인한 뒤 다시 시도하세요.',
  ),
  E_FILE_TOO_LARGE: named(
    (subject) => `${subject} 항목은 받는 디스크의 파일 시스템에 담기에 너무 커요.`,
    '받는 디스크의 파일 시스템에 담기에 너무 큰 파일이 있어요.',
    'NTFS, APFS, ext4처럼 다른 파일 시스템을 쓰는 디스크의 폴더를 선택하세요.',
  ),
  E_TARGET_GONE: named(
    (subject) => `${subject} 폴더가 없어졌어요.`,
    '선택한 폴더가 없어졌어요.',
    '드라이브를 다시 연결하고 이어서 받으세요. 다 받은 파일은 남아 있어요.',
  ),
  E_NO_ROUTE: fixed(
    '네트워크가 직접 연결을 막아서 상대 컴퓨터에 연결하지 못했어요.',
    '설정에서 중계 서버를 추가하거나, 두 컴퓨터를 같은 네트워크에 연결하세요.',
  ),
  E_NO_RELAY: fixed(
    '중계만 쓰도록 설정되어 있는데 쓸 수 있는 중계 서버가 없어요.',
    '설정에서 중계 서버를 추가하거나, 중계 서버가 있는 서버를 쓰거나, 직접 연결을 허용하세요.',
  ),
  E_NOT_DIRECT: fixed(
    '상대 컴퓨터에 직접 연결하지 못했고, 중계를 쓰지 않도록 설정되어 있어요.',
    '중계로는 연결될 수 있어요. 설정에서 중계를 "필요할 때"로 바꾸고 다시 시도하세요.',
  ),
  E_RELAY_IDENTITY: fixed(
    '중계 서버의 인증서가 올바르지 않아서 상대 컴퓨터에 연결하지 못했어요.',
    '자세한 내용을 확인하고 중계 서버 관리자에게 알려 주세요.',
  ),
  E_RELAY_QUOTA: fixed(
    '서버가 전송 한 번에 중계할 수 있는 양을 다 썼어요.',
    '다시 시작하거나 다른 네트워크를 사용하세요. 다 받은 파일은 남아 있어요.',
  ),
  E_PEER_GONE: fixed(
    '상대 컴퓨터에서 응답이 없어요.',
    '켜져 있고 연결되어 있는지 확인한 뒤 다시 시작하세요. 다 받은 파일은 남아 있어요.',
  ),
  E_PEER_PROTOCOL: fixed(
    '상대가 알 수 없는 메시지를 보냈어요.',
    '두 컴퓨터에 최신 버전의 Thruflux를 설치한 뒤 다시 시도하세요.',
  ),
  E_PEER_VERSION: fixed(
    '두 컴퓨터의 Thruflux 버전이 서로 맞지 않아요.',
    '두 컴퓨터에 최신 버전의 Thruflux를 설치하세요.',
  ),
  E_PEER_IDENTITY: fixed(
    '상대를 확인할 수 없어요. 누군가 끼어들었을 수 있어요.',
    '새 코드를 만들어 믿을 수 있는 방법으로 전달하세요.',
  ),
  E_HASH_MISMATCH: named(
    (subject) => `${subject} 항목이 손상된 채로 도착해서 저장하지 않았어요.`,
    '손상된 채로 도착한 파일을 저장하지 않았어요.',
    '다시 전송하고, 또 그러면 보내는 컴퓨터의 디스크와 메모리를 확인하세요.',
  ),
  E_BAD_MANIFEST: fixed(
    '보내는 사람의 파일 목록에 오류가 있어요.',
    '두 컴퓨터에 최신 버전의 Thruflux를 설치하고 파일을 다시 요청하세요.',
  ),
  E_TOO_MANY_RECEIVERS: fixed(
    '이 코드로 연결할 수 있는 인원이 다 찼어요.',
    '한 사람이 끝난 뒤에 다시 시도하거나 새 코드를 요청하세요.',
  ),
  E_NO_BROWSERS: fixed(
    '보내는 사람이 브라우저로 받는 것을 막았어요.',
    'Thruflux로 받으세요. 앱에서 링크를 열거나 코드를 입력하면 돼요.',
  ),
  E_REFUSED: fixed(
    '보내는 사람이 받는 것을 허락하지 않았어요.',
    '실수였는지 보내는 사람에게 물어보고 코드를 다시 입력하세요.',
  ),
  E_UNANSWERED: fixed(
    '보내는 사람이 받아도 되는지 답하지 않았어요.',
    '보내는 사람에게 화면을 봐 달라고 하고 코드를 다시 입력하세요.',
  ),
  E_STREAM_STARTED: fixed(
    '이 스트림은 이미 시작되어 처음부터 받을 수 없어요.',
    '보내는 사람에게 다시 스트리밍해 달라고 하고, 시작하기 전에 참여하세요.',
  ),
  E_STREAM_BROKEN: fixed(
    '스트림이 제대로 끝나지 않아서 파일을 남기지 않았어요.',
    '보내는 사람이 다시 스트리밍할 수 있어요.',
  ),
  E_OUTPUT_CLOSED: fixed(
    '출력을 읽던 프로그램이 출력을 닫았어요.',
    '끝까지 읽는 프로그램이나 파일로 다시 받으세요.',
  ),
  E_DECLINED: fixed(
    '받지 않기로 했어요.',
    '마음이 바뀌면 코드를 다시 입력하고, 더 이상 쓸 수 없는 코드라면 새 코드를 요청하세요.',
  ),
  E_UNDECIDED: fixed(
    '여기에서 아직 아무도 답하지 않았어요.',
    '이 컴퓨터의 Thruflux에서 답하거나, 보내는 사람에게 다시 공유해 달라고 하세요.',
  ),
  E_SHARE_CHANGED: fixed('공유한 파일이 바뀌었어요.', '할 일은 없어요. 새 파일을 자동으로 받아요.'),
  E_STOPPED: fixed(
    '상대가 전송을 멈췄어요.',
    '다시 공유하면 이어서 받거나 새 코드를 요청하세요. 다 받은 파일은 남아 있어요.',
  ),
  E_CANCELLED: fixed('전송을 취소했어요.', '원할 때 다시 시작하세요. 다 받은 파일은 남아 있어요.'),
  E_LIMIT_EXCEEDED: named(
    (subject) => `${subject} 항목이 Thruflux에서 다룰 수 있는 것보다 커요.`,
    'Thruflux에서 다룰 수 있는 것보다 많아요.',
    '폴더를 하나씩 나누어 공유하거나, 긴 글은 파일로 공유하세요.',
  ),
  E_ENGINE_BUSY: fixed('지금은 Thruflux가 너무 바빠요.', '잠시 뒤에 다시 시도하세요.'),
  E_ENGINE_CLOSED: fixed('전송 엔진이 멈췄어요.', 'Thruflux를 다시 시작하세요.'),
  E_INTERNAL: fixed(
    'Thruflux에 문제가 생겼어요.',
    '다시 시작해 보고, 계속 그러면 자세한 내용과 함께 알려 주세요.',
  ),
}
