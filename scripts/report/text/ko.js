/**
 * The reports in Korean; en.js describes what each sentence gets. A name or a figure is followed by no
 * particle that would have to agree with it.
 * @import { LeftOut, Limit, LimitReason, Reason, Verdict, Warning } from '../../types.js'
 * @import { Words } from './words.js'
 */

import { hasFewRounds, MOST_ROUNDS } from '../../judge/verdicts.js';
import { LEAST_ROUNDS, LONGER_WARM_UP, SHARED_LOAD } from '../../model/times.js';
import { firstOf, MOST_PACKAGES, numbersIn, USUAL } from './format.js';
import { code, exact, sentenceFor, strong } from './inline.js';

const numbers = numbersIn('ko-KR', {
  to: ' ~ ',
  over: (bound) => `${bound} 초과`,
  at: (interval, level) => `${interval}(신뢰도 ${level})`,
  units: ['초', '분', '시간'],
  switches: ['꺼짐', '켜짐'],
});
const { about, amount, cores, count, duration, ends, gain, interval, list } = numbers;
const { megabytes, noise, percent, portion, precise, range, rate, signed, size, unsigned } = numbers;

const starts = (/** @type {number} */ n) => `서버 기동 ${count(n)}회`;
const rounds = (/** @type {number} */ n) => `${count(n)}라운드`;
const cases = (/** @type {number} */ n) => `케이스 ${count(n)}개`;
const windows = (/** @type {number} */ n) => `측정 구간 ${count(n)}개`;
const storedRuns = (/** @type {number} */ n) => `저장된 실행 ${count(n)}건`;

/** @param {{ cores: number, model: string }} machine */
const machineText = ({ cores: number, model }) =>
  `${model || '알 수 없는 프로세서'}, 코어 ${count(number)}개`;

/** By a metric's id. @type {Record<string, string>} */
const METRICS = {
  throughput: '처리량',
  cpuPerRequest: '요청당 CPU',
  proxyCpuPerRequest: '프록시의 요청당 CPU',
  p50: 'p50 지연 시간',
  p99: 'p99 지연 시간',
  firstByteP50: '첫 바이트 p50',
  firstByteP99: '첫 바이트 p99',
  longestGapP50: '최장 이벤트 간격 p50',
  longestGapP99: '최장 이벤트 간격 p99',
  statements: '요청당 쿼리',
  allocated: '요청당 할당',
  outgoing: '요청당 외부 요청',
  memory: '메모리',
  meanMemory: '평균 메모리',
  eventLoopP99: '이벤트 루프 지연 p99',
  memorySlope: '메모리 증가 속도',
  errors: '오류',
  startupCpu: '준비까지의 CPU',
  startupTime: '준비까지의 시간',
  startupMemory: '준비된 때의 메모리',
  heap: '힙',
  collecting: 'GC 시간',
  compiling: 'JIT 컴파일러 사용률',
  threads: '스레드',
};

/** @type {Record<string, string>} */
const HEADINGS = {
  allocated: '할당 B/req',
  memory: '메모리 MB',
  proxyCpuPerRequest: '프록시 µs/req',
  statements: '쿼리/req',
  firstByteP50: '첫 바이트 p50 ms',
  firstByteP99: '첫 바이트 p99',
  longestGapP50: '최장 간격 p50 ms',
  longestGapP99: '최장 간격 p99',
};

/** @type {(row: { label: string } | undefined, id: string) => string} */
const label = (row, id) => METRICS[id] ?? row?.label ?? id;

/** By the field of a dimension; the others stay as they are. @type {Record<string, string>} */
const CONDITIONS = {
  connections: '연결 {}개',
  rate: '{} req/s',
  threads: '클라이언트 스레드 {}개',
  processes: '클라이언트 프로세스 {}개',
  workers: '워커 {}개',
  instances: '인스턴스 {}개',
  warmupSeconds: '워밍업 {}초',
  durationSeconds: '측정 {}초',
  requests: '요청 {}건',
  host: '접속 주소 {}',
  windows: '측정 구간 {}개',
};

/** Throughput may level off with them. @type {Record<'connections' | 'instances', (n: number) => string>} */
const STEPS = {
  connections: (n) => `연결 ${count(n)}개`,
  instances: (n) => `인스턴스 ${count(n)}개`,
};

/** @type {Record<Verdict | 'within' | 'differs' | 'control', string>} */
const VERDICTS = {
  regressed: '나빠짐',
  improved: '좋아짐',
  same: '변화 없음',
  unsure: '불확실',
  failed: '실패',
  within: '허용 범위 이내',
  differs: '차이 있음',
  control: '대조군',
};

const SPEEDS = { ...VERDICTS, regressed: '느려짐', improved: '빨라짐' };

const NOT_SLOWER =
  '느리지 않습니다. 여러 번에 걸쳐 조금씩 느려졌거나 탐색 중의 판정이 틀렸을 수 있습니다. --budget 값을 늘리면 더 작은 변화를 찾습니다.';

/** @type {Record<Verdict, string>} */
const UNCONFIRMED = {
  regressed: '',
  improved: NOT_SLOWER,
  same: NOT_SLOWER,
  unsure: '느려졌는지 불확실합니다. --budget 값을 늘리면 판정할 수 있을지도 모릅니다.',
  failed: '측정할 수 없었습니다.',
};

/** @type {Record<string, string>} */
const ERRORS = {
  timeouts: '타임아웃',
  non2xx: '잘못된 응답',
  resets: '연결 끊김',
  stalls: '무응답',
  checks: '검사 실패',
};

/** What a leak grows with. */
const GROWS = {
  requests: '요청에 따라 늘어남',
  time: '요청이 없어도 시간에 따라 늘어남',
  both: '요청에 따라서도, 요청이 없을 때도 늘어남',
  unsure: '요청에 따른 것인지 시간에 따른 것인지는 불확실',
};

/** @param {Extract<Reason, { code: 'open' }>} why */
const openText = (why) => (hasFewRounds(why) ? '라운드 부족' : '노이즈 과다');

/** @type {Record<string, string>} */
const FAILED = {
  'exited-at-start': '기동 중에 종료됨',
  'never-ready': '준비되지 않음',
  'no-token': '토큰을 주지 않음',
  'wrong-answer': '잘못 응답함',
  'died-under-load': '부하 중에 종료됨',
  'too-slow': '제때 응답하지 않음',
};

/** @param {Extract<Reason, { code: 'failed-starts' }>} facts */
const failedStarts = ({ kinds, base, head }) => {
  const [kind = '', ...others] = kinds;
  const how = others.length > 0 ? `실패함(${list(kinds)})` : (FAILED[kind] ?? kind);
  return `변경 후는 기동 ${count(head.of)}회 중 ${count(head.failed)}회, 변경 전은 ${count(base.of)}회 중 ${count(base.failed)}회 ${how}`;
};

/** @param {Extract<Reason, { code: 'new-errors' }>} facts */
const newErrors = ({ kinds, errors, requests }) =>
  list(kinds) +
  (errors === undefined || requests === undefined ? '' : `, 요청 ${count(requests)}건 중 ${count(errors)}건`);

/** Others have their own message. @typedef {Exclude<Reason, { message: string }>} Worded */
/** @type {{ [C in Worded['code']]: (facts: Extract<Reason, { code: C }>) => string }} */
const reasons = {
  'inside-margin': () => '허용 범위 이내',
  'exact-count': () => '모든 기동의 모든 측정 구간에서 같은 값',
  'inexact-count': ({ idle }) => `정확하지 않은 횟수${idle ? `: 부하 없이 ${count(idle)}건` : ''}`,
  changed: ({ byPct, halfIntervalPct }) =>
    `변경 전 대비 ${percent(byPct)}, 오차 ±${unsigned(Math.abs(halfIntervalPct))}`,
  tenfold: ({ byPct }) =>
    `변경 전 대비 ${percent(byPct)}, 모든 이웃 구간에서 열 배 이상: 잡음으로는 생기지 않는 차이`,
  open: (why) =>
    `${openText(why)}; ${
      why.moreRounds > MOST_ROUNDS
        ? `판정에 필요한 라운드: ${count(MOST_ROUNDS)} 초과`
        : `판정에 더 필요한 측정: 약 ${rounds(why.moreRounds)}`
    }`,
  'one-start': () => '서버를 한 번만 기동해서는 변화와 우연을 구분할 수 없음. 라운드를 늘리세요',
  'one-run': () => '저장된 실행 하나로는 오류 비율의 변동을 알 수 없음. 실행을 더 저장하세요',
  'few-rounds': ({ least }) => `변화를 확신하는 데 필요한 최소 측정: ${rounds(least)}`,
  'too-coarse': ({ stepPct }) => `부하 도구의 측정 단위(${about(stepPct)} %)가 너무 커서 판정할 수 없음`,
  'other-machine': () => '다른 종류의 머신에서 측정됨',
  'other-data': () => '다른 데이터로 측정됨',
  'other-answer': () => '응답이 서로 달라 작업이 빠진 결과일 수 있음',
  crowded: () => '다른 프로세스가 머신의 대부분을 쓰는 동안 측정됨',
  'client-bound': () => '부하 도구의 CPU가 한계였으므로 도구의 수치일 수 있음',
  'rate-missed': ({ asked, achieved }) =>
    `목표 요청률 미달: 목표 ${rate(asked)}, 실제 ${rate(achieved)} req/s`,
  'no-errors': () => '오류 없음',
  'new-errors': (why) => `새로운 종류의 오류: ${newErrors(why)}`,
  'failed-starts': failedStarts,
  'too-slow-for-load': ({ baseShare, headShare }) =>
    `양쪽 모두 이 부하에 비해 너무 느림: 변경 전 요청의 ${portion(baseShare)}, 변경 후 요청의 ${portion(headShare)}가 응답을 너무 오래 기다림`,
  'slow-start': ({ baseMs, headMs }) =>
    `준비까지 ${duration(headMs / 1000)}, 변경 전에는 ${duration(baseMs / 1000)}`,
  'rare-errors': () => '너무 드물어서 비율을 추정할 수 없음',
  'error-rate': ({ rounds: n }) => `실패한 요청의 비율, ${rounds(n)} 기준`,
  'not-measured': () => '측정된 결과가 없음',
};

/** @param {{ name: string, from?: string, to?: string }[]} packages */
function movedText(packages) {
  const texts = packages.map(({ name, from, to }) =>
    from === undefined ? `${name} ${to} 추가` : `${name} ${from} → ${to ?? '삭제'}`,
  );
  return list(firstOf(texts, MOST_PACKAGES, (left) => `외 ${count(left)}개`));
}

/** @type {{ [C in Warning['code']]: (facts: Extract<Warning, { code: C }>) => string }} */
const warnings = {
  'baseline-unreadable': () => '읽을 수 없는 저장된 실행을 건너뛰었습니다',
  disturbed: ({ share }) =>
    `대부분의 측정 구간에서 다른 프로세스의 머신 사용률이 ${portion(share)}를 넘었습니다. 이런 경우 처리량은 요청당 CPU보다 변동이 큽니다`,
  outliers: ({ outliers, rounds: n }) =>
    `${rounds(n)} 중 극단적인 이상치를 제외했습니다: ${list(outliers.map(({ metric, round, effectPct }) => `${label(undefined, metric)} ${count(round + 1)}번째 라운드 (${percent(effectPct)})`))}`,
  'failed-starts': (facts) => `${failedStarts(facts)}: 우연과 구분하기에는 너무 적습니다`,
  'new-errors': (facts) =>
    `변경 후에만 있는 종류의 오류: ${newErrors(facts)}. 우연과 구분하기에는 너무 적습니다`,
  'budget-ended': ({ seconds, rounds, needed }) =>
    needed === undefined
      ? `시간 예산(${duration(seconds)})이 끝나 측정을 마쳤습니다. 완료한 라운드: ${count(rounds)}`
      : `시간 예산(${duration(seconds)})이 끝날 때까지 측정된 결과가 없습니다. 기동에 걸린 시간으로 보아 ${code(`--budget ${Math.ceil(needed / 60)}m`)} 이상이 필요합니다`,
  'not-explained': ({ seconds }) =>
    `느려진 함수는 측정하지 않았습니다. 더 필요한 시간 예산: ${duration(seconds)}`,
  'other-machine': () =>
    `저장된 실행은 다른 종류의 머신에서 측정되었고, 머신 종류가 다르면 서버 간의 차이도 달라집니다. 같은 종류의 머신에서 실행을 저장하거나 ${code('--against')} 옵션으로 비교하세요`,
  'not-compared': ({ baseline, left = [], why }) =>
    `비교하지 않음: ${
      why ??
      (left.length === 0
        ? `저장된 실행이 없음 (${baseline})`
        : `저장된 실행 중 비교할 수 있는 것이 없음 (${baseline}: ${list([...new Set(left)].map((code) => leftOut[code]))})`)
    }`,
  skipped: ({ since, itself }) =>
    itself === undefined
      ? `${since === undefined ? '' : `커밋 ${exact(since.slice(0, 10))} 이후 `}변경된 파일 중 서버에 영향을 주는 것이 없습니다`
      : `체크아웃된 커밋이 바로 ${code(itself)}: 달라진 것이 없습니다. 변경이 있는 브랜치를 체크아웃하거나 파일을 변경하세요`,
  'not-touched': ({ servers }) => `이번 변경의 영향을 받지 않아 측정하지 않음: ${list(servers)}`,
  'same-versions': ({ servers, names }) =>
    `양쪽의 버전(${list(names)})이 같아서 측정하지 않음: ${list(servers)}`,
  'not-installed': ({ servers, names }) =>
    `${list(names)}이(가) 설치되어 있지 않아 측정하지 않음: ${list(servers)}`,
  'commit-not-package': ({ ref }) =>
    `${code(ref)}: 같은 이름의 커밋이 있어서 그 커밋과 비교했습니다. 패키지와 비교하려면 ${code('fastify@=5.2.0')}처럼 버전 앞에 등호를 붙이세요`,
  'packages-moved': ({ lock, packages, indirect = 0 }) =>
    `${lock === undefined ? '버전' : code(lock)}: ${movedText(packages)}${indirect > 0 ? `, 함께 바뀐 하위 패키지 ${count(indirect)}개` : ''}`,
  'described-by-head': ({ servers }) =>
    `변경 전 perf.yml에 없어서 변경 후와 같은 방법으로 기동함: ${list(servers)}`,
  'new-in-head': ({ servers }) => `이 브랜치에서 새로 추가되어 비교할 대상이 없음: ${list(servers)}`,
  'looser-than-base': ({ settings = [], routes = [], file, files = 0 }) =>
    `perf.yml의 요구가 기준보다 느슨함: ${list([
      ...settings.map(({ setting, base, head }) => `${code(setting)} ${base} → ${head ?? '없음'}`),
      ...(routes.length > 0 ? [`제외된 경로 ${list(routes)}`] : []),
      ...(file === undefined
        ? []
        : [
            `변경되어도 더는 측정되지 않는 파일 ${code(file)}${files > 1 ? ` 외 ${count(files - 1)}개` : ''}`,
          ]),
    ])}${settings.length > 0 ? '. 판정에는 기준의 설정을 적용했습니다' : ''}`,
  'lfs-missing': ({ side, files }) =>
    `${side}: ${files[0]}${files.length > 1 ? ` 외 파일 ${count(files.length - 1)}개` : ''}: 파일 내용 대신 Git LFS 포인터만 있습니다. ${code('git lfs pull')} 명령을 실행하거나 checkout에 ${code('lfs: true')} 옵션을 설정하세요`,
  'connection-closed': ({ tool, closes }) =>
    `서버가 응답마다 연결을 닫아 요청마다 새 연결을 엽니다. 측정값에는 연결 비용이 포함됩니다${closes === 'undelimited' && tool === 'wrk' ? '. wrk는 사용하지 않는 연결을 하나 더 엽니다. 다른 부하 도구를 사용하면 그만큼 줄어듭니다' : ''}`,
  'measured-alone': ({ beside, share = 0 }) =>
    `따로 측정하여 같은 시간으로는 작은 변화를 찾기 어렵습니다: ${beside === undefined ? `대기 중 코어 사용률 ${portion(share)}` : `다른 서버와 함께 기동하면 ${beside}`}`,
  'machine-shared': ({ shared, windows: all, programs }) =>
    `${windows(all)} 중 ${count(shared)}개에서 다른 프로세스가 머신을 많이 사용했습니다${programs.length > 0 ? `. 주요 프로세스: ${list(programs)}` : ''}`,
  'rate-missed': ({ asked, achieved }) =>
    `목표 요청률 미달: 목표 ${rate(asked)}, 실제 ${rate(achieved)} req/s. 지연 시간은 과부하 상태의 값이므로 비교하지 않습니다`,
  'does-not-add-up': ({ connections, pipelining, atOnce }) =>
    atOnce < connections * pipelining
      ? `연결 ${count(connections)}개 중 실제로 사용된 연결은 약 ${about(atOnce / pipelining)}개입니다. 일부 연결이 열리지 않았거나 부하 도구가 따라가지 못했습니다`
      : `처리량과 평균 지연 시간으로 계산한 동시 요청은 ${about(atOnce)}건인데 연결은 ${count(connections)}개입니다. 부하 도구가 실제로는 없던 대기 시간을 더했습니다(wrk는 누락되었다고 보는 시간을 보정함)`,
  'long-queue': ({ connections, waitSeconds, enough, timeouts }) =>
    `연결 ${count(connections)}개가 응답을 ${duration(waitSeconds)} 동안 기다립니다${timeouts > 0 ? `(시간 초과 ${count(timeouts)}건의 원인)` : ''}. ${code(`connections: ${enough}`)} 설정에서도 처리량은 같습니다`,
  'still-busy': ({ seconds, starts: busy, of: all }) =>
    `${starts(all)} 중 ${count(busy)}회는 부하가 끝나고 ${duration(seconds)} 뒤에 다음 측정 구간이 시작될 때에도 서버가 작업 중이었습니다. 수치에 그 작업이 포함됩니다`,
  'few-answers': ({ answers, wanted, seconds }) =>
    `측정 구간 하나의 응답이 약 ${about(answers)}건뿐입니다. ${count(wanted)}건에는 ${duration(seconds)}가 필요하므로 ${code('--duration')}, 비교에서는 ${code('--budget')} 값을 늘리세요`,
  'no-latencies': ({ tool }) =>
    `${tool}의 보고에는 파이프라인 요청이 실제로 겪지 않은 대기 시간이 섞이므로 평균과 백분위수를 뺐습니다. ${code('tool: autocannon')} 설정은 요청마다 시간을 잽니다`,
  unanswered: ({ answers, unanswered }) =>
    `응답 ${count(answers)}건을 받고 요청 ${count(unanswered)}건이 남은 채 측정 구간이 끝났습니다. 서버가 남은 요청에도 CPU를 썼을 수 있으므로 요청당 CPU를 뺐습니다`,
  'mostly-waits': ({ answerSeconds, cpuSeconds }) =>
    `서버는 대부분 기다립니다. 응답 하나에 ${precise(1000 * answerSeconds)} ms가 걸리지만 CPU는 ${precise(1000 * cpuSeconds)} ms만 씁니다. 처리량과 지연 시간은 그 대기(타이머, 다른 머신, 지연된 ACK)를, 요청당 CPU는 실제 작업량을 보여 줍니다`,
  'rising-cost': ({ pct, starts: n }) =>
    `${starts(n)} 모두에서 요청당 CPU가 측정 구간마다 약 ${about(pct)} %씩 늘어납니다. 계속 길어지는 목록처럼, 부하를 오래 받을수록 응답 비용이 커집니다`,
  'thresholds-missed': ({ tool, thresholds }) => `${tool}: 스크립트의 임계값을 넘음: ${list(thresholds)}`,
  'workers-lost': ({ lost, workers }) =>
    `부하 도구의 워커 ${count(workers)}개 중 ${count(lost)}개의 연결이 도중에 끊겨 나머지로 측정했습니다`,
  'not-warm': ({ starts: n, of: all }) =>
    `${starts(all)} 중 ${count(n)}회는 워밍업이 부족했습니다. 워밍업이 끝날 때까지 처리량이 오르고 있었거나 JIT 컴파일러가 동작하고 있었습니다. 워밍업을 늘리고, 그래도 안정되지 않으면 라운드를 늘리세요`,
  uncounted: ({ services }) =>
    `${list(services)}의 쿼리는 세지 않았습니다. 이 실행이 직접 시작한 PostgreSQL, MariaDB, Redis만 셉니다`,
  'left-behind': ({ server, programs }) =>
    `${server}: 설치 또는 빌드 후에 남은 프로세스를 종료했습니다(${list(programs)})`,
  unsupervised: () =>
    '이 머신에서는 프로세스를 감독할 수 없습니다(Linux와 Perl 필요). 서버가 띄운 데몬이 남을 수 있고, 실행이 강제 종료되면 서버가 남습니다',
  cancelled: ({ measured, planned }) =>
    `${starts(planned)} 중 ${count(measured)}회를 마치고 실행이 취소되었습니다. 측정한 결과는 보존됩니다`,
  unfinished: ({ measured, planned }) =>
    `실행이 끝나지 않았습니다: ${starts(planned)} 중 ${count(measured)}회 측정됨`,
  'base-unfinished': () => '변경 전의 값은 끝나지 않은 실행에서 나왔습니다',
  'head-unfinished': () => '변경 후의 값은 끝나지 않은 실행에서 나왔습니다',
  'never-started': ({ cases: missing }) => `계획했지만 한 번도 시작하지 않음: ${list(missing)}`,
  'shards-missing': ({ shards, of: all, cases: missing }) =>
    `샤드 ${count(all)}개 중 ${list(shards.map(String))}번이 결과를 남기지 않았습니다${missing ? `. 빠진 케이스: ${list(missing)}` : ''}`,
  'machines-missing': ({ machines }) => `${list(machines)}: 결과를 남기지 않았습니다`,
  'mixed-machines': ({ machines }) =>
    `샤드가 ${count(machines.length)}종류의 머신에서 실행되었습니다(${list(machines)}). 서로 다른 샤드의 절댓값은 비교할 수 없습니다`,
  'gate-closed': ({ metric, verdict, rule }) =>
    `${label(undefined, metric)}: ${VERDICTS[verdict]}. 자체 게이트(${rule})에 따라 체크가 실패합니다`,
  'gate-open': ({ metric, verdict, rule }) =>
    `${label(undefined, metric)}: ${VERDICTS[verdict]}. 자체 게이트(${rule})에 따라 통과합니다`,
};

/** @type {{ [C in Limit['code']]: (facts: Extract<Limit, { code: C }>) => string }} */
const limits = {
  'few-rounds': ({ least }) => `두 쪽이 모두 측정된 것이 ${rounds(least)} 미만인 케이스가 있음`,
  'few-runs': ({ runs }) => `${storedRuns(runs)}뿐이어서 실행 간 변동은 일부 추정값임`,
  crowded: () => '다른 프로세스가 머신의 대부분을 사용함',
};

/** @type {{ [C in LimitReason['code']]: (facts: Extract<LimitReason, { code: C }>) => string }} */
const limitReasons = {
  ...reasons,
  'one-start': () => '한 번의 기동으로는 구간을 알 수 없음. 라운드를 늘리세요',
  open: () => '한도가 구간 안에 있음. 라운드를 늘리면 구간이 좁아집니다',
  disturbed: () => '대부분의 측정 창에서 다른 프로그램이 머신을 사용함. 그 프로그램 없이 다시 측정하세요',
};

/** @type {Record<LeftOut, string>} */
const leftOut = {
  'gate-failed': '승인 없이 체크에 실패함',
  'before-a-change': '마지막 변화 이전',
  older: '그보다 오래됨',
  'other-machine': '다른 종류의 머신',
  'no-reference': '참조 서버 없음',
  'other-cases': '다른 케이스',
};

/** @type {Words} */
export const ko = {
  ...numbers,
  language: 'ko',
  label,
  heading: (figure, column) => HEADINGS[figure] ?? column,
  atRate: (what, asked) => `${what} (${rate(asked)} req/s)`,
  more: (number) => `외 ${count(number)}개`,
  loops: { closed: '닫힌 루프', open: '열린 루프', both: '닫힌 루프와 열린 루프' },
  between: ([low, high]) => `${low}~${high}`,
  within: (text) => text,
  condition: ({ field, words }, values) => {
    const form = CONDITIONS[field] ?? [words].flat().at(-1) ?? '{}';
    return form.replace('{}', values.map(numbers.setting).join(' / '));
  },
  reason: (why) => sentenceFor(reasons, why),
  warning: (warning) => `${warning.isBase ? '변경 전: ' : ''}${sentenceFor(warnings, warning)}`,

  facts: {
    processor: '프로세서',
    cores: '코어',
    memory: '메모리',
    system: '운영 체제',
    kernel: '커널',
    runner: '러너',
  },

  change: {
    inconclusive: '판단 불가',
    besideReference: (change) => `참조 서버 대비 ${change}`,
    within: (way, pct, ciPct) =>
      `${unsigned(pct)} ${way === 'slower' ? '느림' : '빠름'}(${unsigned(ciPct[0])} ~ ${unsigned(ciPct[1])}), 허용 범위 이내`,
    unsure: (text) => `불확실: ${text}`,
    open: openText,
    verdicts: VERDICTS,
    changed: (metric, text, verdict) => {
      const isMore = (verdict === 'improved') === (metric === 'throughput');
      return `${text} ${isMore ? '증가' : '감소'}`;
    },
  },

  limits: {
    verdicts: { fails: '초과', unsure: '불확실', passes: '통과' },
    bound: (size, isLeast) => `한도 ${size} ${isLeast ? '이상' : '이하'}`,
    why: (why) => sentenceFor(limitReasons, why),
    machine: (machine) => `한도는 이 머신에서 판정했습니다: ${machineText(machine)}.`,
  },

  counts: {
    title: (changed, all) => `${cases(all)} 중 ${count(changed)}개의 횟수가 바뀌었습니다`,
    alone: '머신의 상태와 무관한 요청당 비용',
    leftOut: {
      unsettled: (routes) => `할당 바이트가 안정되지 않아 제외했습니다: ${routes}.`,
      uncounted: (routes) => `할당 바이트는 Node 18.15 이상에서만 셉니다. 세지 않은 항목: ${routes}.`,
      inexact: (routes) => `부하 없이도 세어진 것이 있어 횟수가 정확하지 않습니다: ${routes}.`,
    },
    ofThem: (of, kind) => `그중 ${amount(of)}건은 ${kind}`,
  },

  capacity: {
    head: ({ id, limit, rate: found }) => `${id}의 처리 용량(p99 ${limit} ms 이하): ${found}`,
    base: (found) => `변경 전의 처리 용량: ${found}`,
    below: (first) => `탐색이 시작되는 ${first} req/s 미만`,
    byAtLeast: (pct) => `적어도 ${unsigned(pct)}`,
    change: ({ verdict, word, change }) =>
      `${verdict === 'regressed' ? '🔴' : verdict === 'unsure' ? '🟡' : '🟢'} ${word}${change === undefined ? ': 라운드가 너무 적음' : `, ${change}`}`,
    here: ({ rounds: n, ...machine }) => `${rounds(n)}, 이 머신에서 측정: ${machineText(machine)}.`,
    disturbed:
      '대부분의 측정 창에서 다른 프로그램이 머신을 사용했습니다. 그 프로그램이 없으면 용량이 더 큽니다.',
  },

  proof: {
    planted: ({ id, by, us }) => `${id}: 한쪽의 요청마다 CPU를 ${by} 더 쓰게 했습니다(${us} µs).`,
    outcome: ({ isFound, verdict, seen, time, margin }) =>
      isFound
        ? `🟢 ${time} 만에 발견: 요청당 CPU ${seen}, 허용 범위 ${margin}.`
        : `🔴 ${time} 동안 발견하지 못함: ${verdict}, 요청당 CPU ${seen}, 허용 범위 ${margin}.`,
    here: (slowdowns) => `이 머신에서 실행 100번 중 95번에서 저하를 발견하는 데 걸리는 시간: ${slowdowns}.`,
  },

  soak: {
    headline: {
      leaks: (id, cause) => `🔴 ${id}: 메모리 누수 있음, ${GROWS[cause ?? 'unsure']}`,
      'does-not-leak': (id) => `🟢 ${id}: 메모리 누수 없음`,
      unsure: (id) => `🟡 ${id}: 메모리 누수 여부 불확실`,
    },
    why: {
      'few-readings': '메모리를 읽은 횟수가 너무 적습니다.',
      fading:
        '끝으로 갈수록 메모리가 더 느리게 늘었으므로 아직 예열 중일 수 있습니다. --for를 늘리면 판정할 수 있습니다.',
      'too-wide': '구간이 너무 넓어 판정할 수 없습니다. --for를 늘리면 판정할 수 있습니다.',
    },
    perHour: ({ value, ends: interval, least }) =>
      `강제 가비지 컬렉션 후의 메모리: 시간당 ${value} MB${interval}. 시간당 ${least} MB까지는 누수로 보지 않습니다.`,
    perRequest: ({ value, ends: interval }) => `요청 하나가 남기는 메모리: ${value}바이트${interval}.`,
    idle: ({ value, ends: interval }) => `요청이 없는 한 시간에 늘어나는 메모리: ${value} MB${interval}.`,
    measured: ({ readings, requests, seconds, from }) =>
      `${duration(seconds)} 동안 부하와 휴식을 번갈아 가며 ${count(readings)}번 컬렉션, 요청 ${count(requests)}개. 처음 ${count(from)}번은 예열입니다.`,
    failed: (message) => `측정이 일찍 끝났습니다: ${message}.`,
    heads: { at: '시간', requests: '요청', heap: '힙 MB', outside: '힙 밖 MB', rss: '상주 MB' },
    report: (folder) => `모든 측정값과 보고서: ${code(folder)}`,
  },

  bisection: {
    verdicts: { ...SPEEDS, unsure: '불확실, 건너뜀', failed: '측정할 수 없음, 건너뜀' },
    commit: (sha, subject) => `커밋 ${sha} "${subject}"`,
    found: (change, id) => `🔴 ${id}: ${change} 이후 느려졌습니다.`,
    notConfirmed: ({ change, id, parent }, verdict) =>
      `🟡 ${id}: 탐색 결과는 ${change}이지만, ${parent ? '부모 커밋과' : '이것만 빼고'} 비교하면 ${UNCONFIRMED[verdict]}`,
    oneOf: (number, id, isPackages) =>
      `🟡 ${id}: 다음 ${isPackages ? '변경' : '커밋'} ${count(number)}개 중 하나에서 느려졌습니다. 나머지는 측정할 수 없었거나 주어진 시간 안에 구분되지 않았습니다:`,
    nothing: {
      regressed: '',
      same: '🟢 찾을 것이 없습니다: 두 커밋의 속도가 같습니다.',
      improved: '🟢 찾을 것이 없습니다: 두 번째 커밋이 더 빠릅니다.',
      unsure:
        '🟡 아직 탐색할 수 없습니다: 두 커밋을 구분하지 못했습니다. --budget 값이나 --rounds 값을 늘리세요.',
      failed: '🔴 탐색할 수 없습니다: 두 커밋 중 하나를 측정하지 못했습니다.',
    },
    beside: (change, parent) =>
      `${parent ? `부모 커밋(${parent})과` : '이것만 뺀 같은 패키지와'} 비교한 결과: ${change}.`,
    upTo: '여기까지의 패키지',
    heads: { commit: '커밋', subject: '제목', base: '비교 대상', change: '변화' },
  },

  answer: {
    changed: (parts) => `응답이 달라짐: ${list(parts)}`,
    bytes: (from, to) => `${count(from)}바이트 → ${count(to)}바이트`,
    part: (part, from = '없음', to = '없음') =>
      `${{ status: '상태 코드', type: '콘텐츠 유형', encoding: '콘텐츠 인코딩' }[part]} ${from} → ${to}`,
  },

  headline: {
    first: (what, names, text) => `${what}${names && ` (${names})`}. ${text}`,
    but: (text, other) => text + (other && `, 단 ${other}`),
    openGates: (text, labels) => `${text}; 게이트가 있으나 불확실: ${labels}`,
    sentences: {
      throughput: (name, pct) =>
        `${name ? `${name}: ` : ''}처리한 요청 ${size(pct)} ${pct < 0 ? '감소' : '증가'}`,
      cpuPerRequest: (name, pct) =>
        `${name ? `${name}: ` : ''}요청당 CPU ${size(pct)} ${pct < 0 ? '감소' : '증가'}`,
    },
    about: (name, what) => [name, what].filter(Boolean).join(': '),
    most: (way, number, first) => `${cases(number)} ${way}, 가장 큰 변화: ${first}`,
    answersChanged: '응답이 달라짐',
    asksForLess: 'perf.yml의 요구가 기준보다 느슨함',
    skipped: (why) => `건너뜀: ${why}`,
    incomplete: (text, { code: kind, shards = [], of: all = 0, machines, cases: missing = [] }) => {
      const parts = machines ? list(machines) : `샤드 ${count(all)}개 중 ${list(shards.map(String))}번`;
      const why =
        kind === 'never-started'
          ? `케이스 ${count(missing.length)}개를 시작하지 않음`
          : `${parts}의 결과 없음`;
      return `${text} (불완전: ${why})`;
    },
    onMachine: (text, machine) => `${text} (${machine}에서)`,
    beyondLimit: (names, rest) => `한도 초과: ${names}${rest && `. ${rest}`}`,
    unsureLimit: (names, rest) =>
      rest ? `${rest}; 한도 충족 여부 불확실: ${names}` : `한도 충족 여부 불확실: ${names}`,
    withinLimits: '모든 한도 충족',
    untouched: '변경된 코드를 실행하는 경로 없음',
    nothing: '측정된 값 없음',
    answers: {
      knee: ({ field, low, high, last }) => {
        const unit = STEPS[field];
        if (low === last) return `처리량: 측정한 최대치(${unit(last)})까지 증가`;
        return `처리량 증가가 멈추는 지점: ${low === high ? unit(high) : `${unit(low)} ~ ${unit(high)}`}`;
      },
      keepAlive: (factors) =>
        `연결을 유지하면 새 연결의 ${range([factors[0] ?? 0, factors.at(-1) ?? 0].map(precise))}배 처리`,
      memory: (more, factor, less) => `${more}의 메모리는 ${less}의 ${precise(factor)}배`,
      ratio: (more, factor, less) => `${more}의 처리량은 ${less}의 ${precise(factor)}배`,
    },
    measured: (title) => (title ? `측정 완료: ${title}` : '측정 완료'),
    same: (marginPct) => `${marginPct === undefined ? '' : `${about(marginPct)} %를 넘는 `}변화 없음`,
    uncompared: (names) => `비교할 대상 없음: ${names}(한쪽에만 있음)`,
    improved: (changes) => changes || '변경 전보다 빠름',
    regressed: (changes) => changes || '변경 전보다 느림',
    failed: (names, worse) => `측정하지 못한 항목이 있음${names && `: ${names}`}${worse && `; ${worse}`}`,
    unsure: (names, isOther) =>
      isOther && !names
        ? '응답이 다르므로 빨라진 것으로 보지 않음'
        : `불확실${names && `: ${names}`}. 변화가 없다고 단정할 수 없음`,
    falseAlarm: (names) => `오탐: ${names}, 같은 서버끼리 비교했는데 차이가 있음`,
    aboveMargin: (names) => `노이즈 수준이 허용 범위보다 큼: ${names}`,
    belowMargin: '노이즈 수준이 허용 범위보다 작음',
    slower: '변경 전보다 느림',
    faster: '변경 전보다 빠름',
    worse: '변경 전보다 나쁨',
    better: '변경 전보다 좋음',
    cases,
  },

  trust: {
    itself: '같은 서버를 같은 라운드에서 자기 자신과 비교했으므로 모든 차이는 노이즈입니다.',
    sideBySide: (base) => `비교 대상: ${base}. 양쪽을 같은 라운드에서 측정했습니다.`,
    ofPackages: ({ head, base, servers }) =>
      `비교 대상: ${list(servers)}에서 ${head}, 기준은 ${base}. 양쪽을 같은 라운드에서 측정했습니다.`,
    packagesOf: (packages, place) =>
      place === undefined ? `설치된 ${list(packages)}` : `${place}의 ${list(packages)}`,
    stored: (base, { runs, reference }) =>
      `비교 대상: ${runs === undefined ? base : `${storedRuns(runs)}(최근: ${base})`}. 같은 종류의 머신에서 측정했습니다. ${reference ? '변화량은 참조 서버에 대한 상대값이며, ' : ''}신뢰 구간은 변경이 없는 실행 간의 변동을 포함합니다.`,
    differs: (changes) => `두 실행의 차이: ${changes}.`,
    otherMachine: (base) => `${base}: 다른 종류의 머신에서 측정되어 여기서는 판정에 쓰이지 않습니다.`,
    noise: ({ cpu, throughput, cores: used }) =>
      `여기서의 노이즈: 같은 코드를 두 번 기동하면 ${cpu === undefined ? '' : `요청당 CPU ${noise(cpu)}, `}처리량 ${noise(throughput)}만큼 다릅니다${used === undefined ? '' : `; 서버는 코어 ${cores(used)}개를 사용했습니다`}.`,
    noisyReference: '이번 변경의 영향을 받지 않는 참조 서버의 노이즈가 너무 커서 사용할 수 없었습니다.',
    reference: (effectPct, ciPct) =>
      `이번 변경의 영향을 받지 않는 참조 서버의 차이는 ${percent(effectPct)} (${interval(ciPct)})입니다.`,
    promise: (promise) => {
      if (!promise) return '오탐률은 알 수 없습니다.';
      const outside = promise.outside.map((limit) => sentenceFor(limits, limit));
      const limit =
        outside.length > 0 ? `. 다만 다음 조건에서는 검증되지 않았습니다: ${outside.join('; ')}` : '';
      return `오탐: 보고서 100건 중 최대 ${count(100 * promise.falseAlarms)}건${limit}.`;
    },
    intervals: `구간에 신뢰도가 따로 적혀 있지 않으면 ${USUAL} %입니다.`,
    run: ({ name, when, place }) => `${when}의 실행${name && ` "${name}"`}${place && ` (${place})`}`,
    unknownTime: '알 수 없는 시각',
    theBase: '변경 전',
    withVersions: (name, versions) => `${name} (같은 소스, ${versions})`,
    commit: (sha) => `커밋 ${sha}`,
    leftOut: ({ used, all, left }) => {
      const reasons = left.map(({ code, number, commits }) => `${leftOut[code]} ${number}건${commits}`);
      return `${storedRuns(all)} 중 ${used}건과 비교했습니다. 제외: ${list(reasons)}.`;
    },
  },

  changes: {
    only: (side) => (side === 'head' ? '새로 추가됨: 비교할 대상이 없음' : '삭제됨: 변경 전에만 있음'),
    together: (cases) => `케이스 ${count(cases)}개 전체`,
    moreUnsure: (number) => `그 밖에 불확실한 것 ${count(number)}개`,
    settle: (ways) =>
      `불확실한 결과를 판정하는 방법${ways.length > 1 ? '(이 순서로)' : ''}: ${ways.join('; ')}`,
    fewer: (option) => `경로 줄이기${option ? `, ${code(option)}` : ''}`,
    quieter: '다른 작업이 적은 머신 사용',
    longer: (option, decided, all) =>
      `${code(option)}${decided === all ? '' : `(불확실한 ${cases(all)} 중 ${count(decided)}개를 판정)`}`,
    wider: '허용 범위 넓히기',
    failed: (head, why) => `측정할 수 없음(${head ?? '변경 후'}): ${why}`,
    versionFailed: (broken, why, works) =>
      `${broken}: ${why}${works === undefined ? '' : `. 측정된 쪽: ${works}`}`,
    baseFailed: (base, why, head) =>
      `측정할 수 없음(${base}): ${why}. 측정된 쪽: ${head ?? '변경 후'}. 이 변경으로 고쳐진다면 병합한 뒤에 비교할 수 있습니다`,
  },

  control: {
    promoted: '같은 코드를 실행하지만 양쪽의 차이가 커서 전체 라운드를 측정함',
    measured: '양쪽에서 같은 코드를 실행함, 대조군으로 측정',
    quiet: (names, number, results) =>
      number === 1
        ? `${strong(names)}: 양쪽에서 같은 코드를 실행함, 대조군으로 측정: ${results}`
        : `${strong(`대조군 ${count(number)}개`)}(${names}): 양쪽에서 같은 코드를 실행함, ${results}`,
    atMost: (range) => `최대 ${range}`,
    none: (why) => `아직 구간 없음: ${why}`,
    some: (result, number) => `${result}(그중 ${count(number)}개)`,
  },

  columns: {
    case: '케이스',
    server: '서버',
    route: '경로',
    metric: '지표',
    base: '변경 전',
    head: '변경 후',
    oneSide: '한쪽',
    otherSide: '다른 쪽',
    change: 'Δ',
    verdict: '판정',
    noise: '노이즈',
    why: '이유',
    wouldFind: '검출 가능',
    ratio: '비율',
    errors: '오류',
    rate: 'Req/s',
    peak: '최고 req/s',
    requests: '요청 수',
    read: '수신 MB',
    latency: { avg: '평균 ms', p50: 'p50', p95: 'p95', p97_5: 'p97.5', p99: 'p99', max: '최대' },
    shareOf: (reference) => `${reference} 대비`,
    load: '부하',
    here: '이번 측정',
    runtimeMetrics: {
      p50: '루프 지연 p50 ms',
      p99: 'p99',
      max: '최대',
      busy: '루프 사용률',
      collections: '초당 GC',
      collecting: 'GC 시간',
      longest: '최장 GC ms',
      heap: '힙 MB',
      metaspace: '메타스페이스 MB',
      threads: '스레드',
      classes: '클래스',
      compiling: 'JIT 사용률',
      peak: '최대 메모리 MB',
      growth: '증가 MB/s',
    },
    instances: {
      rate: 'TPS',
      peak: '최고 TPS',
      executed: '실행 수',
      successful: '성공 수',
      cores: 'CPU 코어',
      each: 'CPU µs/req',
      memory: '메모리 MB',
      busiest: '최다 사용 인스턴스',
    },
    published: (column) => `${column} 발표값`,
  },

  tables: {
    everyRoute: '모든 경로',
    reference: '(참조 서버)',
    notMeasured: '측정되지 않음',
    startsFailed: (failed, all) => `${starts(all)} 중 ${count(failed)}회 실패`,
    error: (kind, number) => `${ERRORS[kind] ?? kind} ${count(number)}건`,
    total: (requests, megabytes, n) =>
      `${starts(n)} 동안 요청 ${count(requests)}건${megabytes === undefined ? '' : `, ${megabytes} MB 수신`}`,
    box: { stat: '통계', latency: '지연 시간 ms', avg: '평균', stdev: '표준편차', max: '최대', min: '최소' },
    floor: (power) =>
      `±는 신뢰 구간의 절반으로, 노이즈 수준입니다. 이보다 작은 변화는 드러나지 않습니다. 검출 가능: 허용 범위가 그 이하일 때 같은 기동 횟수로 100번 중 ${Math.round(100 * power)}번 찾아내는 가장 작은 성능 저하.`,
    published: (conditions, origin) => `발표 당시 조건: ${conditions}${origin}.`,
    ratios: (base, conclusions) => `${base} 대비 발표된 비율: ${conclusions}.`,
  },

  requests: {
    data: ({ different }, sent = different) =>
      `서로 다른 요청 ${count(different)}개${sent < different ? ` 중 처음 ${count(sent)}개` : ''}`,
  },

  conditions: {
    repeat: '로컬에서 재현하려면:',
    cores: (number) => `코어 ${count(number)}개`,
    memory: (gibibytes) => `메모리 ${gibibytes} GiB`,
    warmups: (seconds) => `JIT 컴파일러를 쓰는 서버의 워밍업: ${range(seconds)}초`,
    kernel: (version) => `커널 ${version}`,
    seed: (seed) => `측정 순서 시드: ${exact(seed)}`,
    commit: ({ sha, mergedInto, dirty }) =>
      `커밋 ${sha}${mergedInto ? ` (${mergedInto}에 병합)` : ''}${dirty ? ', 커밋되지 않은 변경 포함' : ''}`,
    windows: ({ counts, seconds }) => `기동마다 ${range(seconds)}초 측정 구간 ${range(counts)}개`,
    starts: (least, most) =>
      least === most
        ? `케이스마다 ${starts(most)}, 라운드마다 한 번`
        : `케이스마다 서버 기동 ${count(least)}~${count(most)}회`,
    sharedCore: '변경 전과 변경 후의 서버가 코어 하나를 공유',
    waiting: (pct) => `대기 중인 서버의 코어 사용률 ${pct} %`,
  },

  notes: {
    clientBound:
      '† 서버에는 여유가 있었지만 부하 도구가 CPU를 모두 사용했습니다. 이 값은 서버가 아니라 도구의 한계이므로 순위에서 제외합니다. 이 값으로 구한 비율은 하한 또는 상한(≥, ≤)입니다.',
    interval: '±: 시작별 평균의 95 % 신뢰 구간 폭의 절반.',
    partialRatios: '비율은 두 서버를 모두 측정한 라운드의 값이고, 옆의 처리량은 모든 라운드의 값입니다.',
    meanPercentiles: (tool) =>
      `${tool}의 지연 시간 백분위수는 측정 구간별 백분위수의 평균입니다. 이 도구는 히스토그램을 제공하지 않습니다.`,
    atTheEnd: '마지막 출력:',
    reproduce: '재현:',
    printed: (name, kind) => `출력(${name}): ${kind}`,
    often: (failed, all) => `${starts(all)} 중 ${count(failed)}회`,
  },

  conclusions: { holds: '성립 –', fails: '성립하지 않음 –', open: '판정할 수 없음 –' },

  insights: {
    knee: ({ name, field, first, low, high, last, gained, further }) => {
      const unit = STEPS[field];
      const growth = gained ? `${unit(first)} → ${unit(high)}: ${gain(gained)}` : '';
      if (low === last)
        return `${name}: 측정한 최대치(${unit(last)})까지 처리량이 늘어납니다${growth && `. ${growth}`}.`;
      if (high === last)
        return `${name}: ${unit(low)} 이후에는 처리량이 더 늘지 않지만, 정확한 지점은 이 측정으로 알 수 없습니다.`;
      const knee = low === high ? unit(high) : `${unit(low)} ~ ${unit(high)}`;
      const more = further ? `이후 증가는 최대 ${gain(further)}` : '';
      return `${name}: 처리량 증가가 멈추는 지점은 ${knee}입니다. ${[growth, more].filter(Boolean).join('; ')}.`;
    },
    limit: ({ name, connections, throughput, share, serverCores, ...used }) => {
      const { client, clientCores, all, machine, bytesPerSecond, bound } = used;
      const bytes = bytesPerSecond === undefined ? '' : `, ${megabytes(bytesPerSecond)} MB/s`;
      const why = {
        client: '부하 도구가 한계이므로 서버는 적어도 이만큼 처리할 수 있습니다',
        server: '서버 CPU가 한계입니다: CPU 100 %',
        processes:
          '프로세스 수가 한계입니다: 프로세스마다 CPU 100 %를 쓰지만 남는 코어가 있습니다. 인스턴스를 늘려 보세요',
        machine: '머신이 한계입니다: 서버, 부하 도구, 다른 프로세스가 CPU를 모두 사용합니다',
        waiting:
          'CPU 100 %에 이르지 않았습니다: 호출하는 서비스나 대역폭이 한계이거나, 더 많은 연결이 필요합니다',
      }[bound];
      const most = `최대 ${rate(throughput.value)} req/s${ends(throughput, rate)}, ${STEPS.connections(connections)}`;
      const cpu = `서버는 쓸 수 있는 코어 ${count(serverCores)}개의 ${portion(share.value)}${ends(share, portion)}, 부하 도구 ${cores(client)}/${cores(clientCores)}, 전체 ${cores(all)}/${count(machine)}코어${bytes}`;
      return `${name}: ${most}; ${why}. 이때 CPU 사용: ${cpu}.${throughput.n > 1 ? '' : ' 한 라운드로는 신뢰 구간을 구할 수 없습니다.'}`;
    },
    keepAlive: ({ name, on, off, limited: [onLimited, offLimited], factor }) => {
      const figures = `${name}: keep-alive ${rate(on)} req/s, 요청마다 새 연결 ${rate(off)} req/s`;
      const text = `${precise(factor?.value ?? on / off)}배${ends(factor, precise)}`;
      if (onLimited && offLimited)
        return `${figures}; 양쪽 모두 부하 도구가 한계였으므로 차이(${text})는 서버가 아니라 도구의 값입니다.`;
      const bound = onLimited ? '최소 ' : offLimited ? '최대 ' : '';
      const why = bound ? ', 한쪽에서 부하 도구가 한계였음' : '';
      return `${figures}: ${bound}${text}${why}.${factor ? '' : ' 한 라운드로는 신뢰 구간을 구할 수 없습니다.'}`;
    },
  },

  parts: {
    differences: '차이',
    machines: '머신별',
    changes: '변화',
    limits: '한도',
    trust: '신뢰도',
    figures: '수치',
    functions: 'CPU 시간을 쓰는 함수',
    touched: '변경된 코드를 실행하는 경로',
    hint: '비교 대상을 저장하는 방법',
    failures: '측정하지 못한 케이스',
    notes: '참고',
    insights: '결과 해석',
    runtimeMetrics: '서버 내부 상태',
    instances: '인스턴스',
    published: '발표된 수치와 비교',
    allFigures: '전체 수치',
    compared: '전체 비교',
    conditions: '측정 방법',
    boxes: '케이스별 통계',
    presetRuns: '이 프리셋의 저장된 실행과 비교',
    moreChanges: '그 밖의 변화',
    details: '자세히',
  },

  page: {
    contents: '목차',
    unsure: '“판정 보류”란?',
    file: '측정값 전체(JSON)',
    hover: '차트에 마우스를 올리면 수치가 보입니다.',
    overview: '개요',
    cases: '케이스',
    reading: '차트 읽는 법',
    box: '전체 통계',
    metrics: (name) => `모든 지표: ${name}`,
    leftOut: (number) => `그 밖의 ${cases(number)}의 차트는 생략했습니다. 수치는 표에 있습니다.`,
    charts: {
      warmup: '워밍업 중 처리량, req/s',
      others: '다른 프로세스의 머신 사용률, %',
      latency: '지연 시간, ms (로그 눈금)',
      percentile: '요청 백분위수, %',
      seconds: '실행 시작 후 시간(초)',
      starts: '점: 서버 기동 1회',
      published: (highest) => `발표된 값, 같은 높이로 그림(최고: ${highest} req/s)`,
      steps: (title, axis) => `${title}: ${axis}`,
      span: (seconds) => `${range(seconds.map(count))}초`,
      percent: (better) => `변화 %, ${better === 'more' ? '오른쪽이 좋음' : '왼쪽이 좋음'}`,
      growth: (mbPerSecond) => `증가 ${mbPerSecond.map(signed).join(' → ')} MB/s`,
      rounds: (name, change, n) => `${name}: ${change}, ${rounds(n)}, 허용 범위와 함께`,
      changes: (title, n) => `${title}: ${cases(n)}의 변화와 신뢰 구간, 허용 범위와 함께`,
      course: (names) => `시간에 따른 변화: ${list(names)}`,
      percentiles: '백분위수별 지연 시간',
      bars: (title, bars) => `${title}: ${cases(bars)} 막대 차트`,
      ofChanges:
        '마름모: 추정값. 선: 95 % 신뢰 구간이며 판정되지 않은 경우 더 넓음. 회색 띠: 변화가 없다고 보는 허용 범위.',
      how: {
        rounds: `${strong('변화')}. 점: 한 라운드에서 인접한 측정 구간들의 평균 차이이며, 첫 라운드가 맨 위입니다. 라운드가 아주 많으면 일부만 그립니다. 옅은 사각형: 극단적인 이상치여서 제외한 라운드. 마름모와 선: 추정값과 신뢰 구간. 회색 띠: 변화가 없다고 보는 허용 범위.`,
        runs: `${strong('변화')}. 마름모와 선: 추정값과 신뢰 구간이며, 변경이 없는 실행 간의 변동을 포함합니다. 회색 띠: 변화가 없다고 보는 허용 범위.`,
        course: `${strong('시간에 따른 변화')}. 점: 측정 구간. 선: 서버 기동 1회. 측정 구간이 아주 많으면 점 하나가 여러 측정 구간의 평균입니다. 회색: 다른 프로세스의 머신 사용률이 10 %를 넘은 때.`,
        latency: `${strong('백분위수별 지연 시간')}. 오른쪽으로 눈금 하나마다 그보다 느린 요청의 비율이 10분의 1로 줄어듭니다(10건 중 1건, 100건 중 1건, ...).`,
      },
    },
  },

  terminal: {
    narrow: (columns) => `너비에 맞추기 위해 생략: ${list(columns)}.`,
    report: (path) => `보고서: ${path}`,
    alike: (number) => `그 밖에 변화 없는 ${cases(number)}`,
  },

  comment: {
    more: (number) => `그 밖의 ${cases(number)}: 아래의 전체 수치를 보세요.`,
    leftOut: (names) => `_길이 때문에 생략: ${list(names)}._`,
    nothingFits: '_댓글에 더 넣을 수 없습니다._',
    elsewhere: '_전체 내용은 작업 요약과 결과 폴더의 report.md에 있습니다._',
    whole: '전체 보고서',
    before: (sha) => `이전 결과는 커밋 ${sha}에 대한 것이었습니다.`,
  },

  gate: {
    accepted: (how) =>
      `${strong('의도적으로 승인됨')}: ${how}. 체크는 통과하지만 판정은 측정된 그대로입니다.`,
    byLabel: ({ label: name, who }) =>
      who === undefined ? `풀 리퀘스트의 라벨: ${code(name)}` : `${who} 님이 붙인 라벨: ${code(name)}`,
    inCommit: ({ sha, who, why }) => `커밋 ${sha}${who === undefined ? '' : ` (${who} 님이 푸시)`}: “${why}”`,
  },

  plan: {
    title: ({ title, cases: n, extent, seed }) => `${title}: ${cases(n)}, ${extent} (시드 ${seed})`,
    extent: (n, seconds, isBound) => `${starts(n)}, ${isBound ? '최대' : '약'} ${duration(seconds)}`,
    lacking: ({ server, why }) => `제외된 서버 "${server}": ${why}`,
    made: (servers) => `포함되지 않음: 서버 ${count(servers)}개의 설치와 빌드`,
    rounds: (n, seconds, why) => `라운드: ${count(n)}회, 한 번에 약 ${duration(seconds)}, ${why}`,
    roundsBy: {
      set: '설정한 값',
      default: '기본값',
      limits: '한도가 있을 때의 기본값',
      fitted: '기본값; 예산에 맞추어 측정 구간을 줄임',
      verdict: `예산이 허용하는 만큼, 모든 케이스가 먼저 판정되면 더 적음; 첫 판정에 ${rounds(LEAST_ROUNDS)} 필요`,
    },
    references: (references, all) => `참조 서버: ${starts(all)} 중 ${count(references)}회`,
    reserved: (seconds) =>
      `게이트가 요구하는 기동 쌍: ${seconds < Infinity ? `예산에서 최대 ${duration(seconds)}` : '라운드 이후'}`,
    shared: `예산으로는 라우트마다 따로 ${rounds(SHARED_LOAD.rounds)}를 시작할 시간이 없으므로, 라우트가 서버 시작을 함께 사용`,
    controls:
      '모든 라우트가 변경된 코드를 실행하는 경우의 값이며, 실행하지 않는 라우트(--touched로 확인)는 시간의 5분의 1을 함께 사용',
    explains: (seconds) =>
      seconds > 0
        ? `느려진 것이 있으면 예산 중 ${duration(seconds)} 이상을 프로파일링에 써서 원인 함수를 찾고, 없으면 라운드에 사용`
        : '느려진 것이 있으면 남은 시간에 프로파일링하여 원인 함수를 찾음',
    time: '시간',
    times: ({ load, untilLevel }, { count: all, seconds }) =>
      `${load.warmupSeconds > 0 ? `${untilLevel ? '안정될 때까지 워밍업' : `워밍업 ${duration(load.warmupSeconds)}`}, ` : ''}${windows(all)}, 각 ${duration(seconds)}`,
    longer: (seconds, requests) =>
      `필요하면 연장: 느린 서버의 측정 구간 최대 ${duration(seconds)}${requests ? `, 요청 ${count(requests)}개까지 워밍업 최대 ${LONGER_WARM_UP}배` : ''}`,
    all: (shared) => `공통: ${shared}`,
    round: (order) => `첫 라운드: ${order}; 라운드마다 순서를 다시 섞음`,
  },

  touched: {
    title: (executing, n, areAllKnown) =>
      executing === 0
        ? `경로 ${count(n)}개 중 변경된 코드를 실행${areAllKnown ? '하는' : '한다고 확인된'} 것 없음`
        : `경로 ${count(n)}개 중 ${count(executing)}개가 변경된 코드를 실행함`,
    andCounted: (title, n) => `${title}, ${count(n)}개는 영향을 받는 것으로 봄`,
    heads: { executes: '변경된 코드 실행', functions: '함수 또는 이유' },
    answers: { yes: '예', no: '아니요', counts: '영향을 받는 것으로 봄' },
    calls: (functions) => `다른 함수를 실행: ${functions}`,
    counted: (server, n, cause) => `${server}: 경로 ${count(n)}개 모두 영향을 받는 것으로 봄: ${cause}`,
    unknown: (routes) => `양쪽에서 요청하지 못해 영향을 받는 것으로 봄: ${routes.join(', ')}`,
    untouched: (routes) => `영향 없음: ${routes.join(', ')}`,
    inFile: (names, file) => `${file}의 ${names}`,
    line: (number) => `${number}행`,
    why: {
      start: '첫 요청 전에 실행되는 코드가 변경됨',
      first: '첫 요청에서만 실행되는 코드가 변경됨',
      between: '요청이 없을 때 실행되는 코드가 변경됨',
      unasked: '요청한 경로에서 실행되지 않은 코드가 변경됨',
      module: '함수 밖의 코드가 변경됨',
      generated: 'eval, new Function, vm의 코드가 변경됨',
      assembly: 'WebAssembly가 변경됨',
      file: '변경된 파일을 무엇이 읽는지 커버리지로는 알 수 없음',
      setup: '변경된 코드가 setup에 속할 수 있음',
      server: 'start, setup, 환경 변수 또는 서비스가 변경되었거나 한쪽에 서버가 없음',
      node: '양쪽의 Node 버전이 다름',
      worker: '커버리지로는 워커 스레드를 볼 수 없음',
      program: '커버리지로는 서버가 실행하는 프로그램을 볼 수 없음',
      silent: '실행한 함수를 알리지 않은 프로세스가 있음',
      failed: '양쪽에서 기동하여 요청하지 못함',
      runtime: '커버리지는 Node에서만 알 수 있음',
      unknown: '양쪽에서 요청하지 못함',
    },
  },

  power: {
    detected: ({ rounds: n, finds, margin, takes }) =>
      `${rounds(n)}에서 찾을 수 있는 저하: ${finds === undefined ? '없음' : `${about(100 * finds)} %`}; ${about(100 * margin)} % 저하를 찾는 데 필요한 측정: ${takes}`,
    assumed: (detected) =>
      `모든 케이스의 노이즈가 변경 없는 Express와 같다면 ${detected}. 한 번 실행한 뒤에는 plan이 이 머신의 노이즈를 압니다.`,
    estimated: (power, source) =>
      `실행 100번 중 ${Math.round(100 * power)}번에서 찾는 저하, ${source} 기준 추정:`,
    row: (id, detected, slowdowns) => `${id}: ${detected} (크기별: ${slowdowns})`,
    slowdown: (share, takes, isBelow) =>
      `${about(100 * share)} %${isBelow ? ` (--margin ${about(100 * share)}% 사용 시)` : ''}: ${takes}`,
    prove: '`perf-action prove`는 서버를 일부러 느리게 하고 실행이 이를 발견하는지 보여 줍니다.',
    rounds: (n) => (n < MOST_ROUNDS ? rounds(n) : `${rounds(MOST_ROUNDS)} 초과`),
  },

  functions: {
    about: (id) =>
      `${id}: 별도로 기동하여 프로파일링한 결과 요청당 CPU 시간이 달라진 함수. 비율은 변경 전 요청당 CPU 시간 대비.`,
    blamed: (name, place, change) =>
      `${strong(name)}(${place})와 여기서 부르는 함수: 요청 비용의 ${strong(change)}.`,
    executed: (places) => `이 경로가 실행하는 변경된 코드: ${places}`,
    elsewhere: (places) => `다른 경로만 실행하는 변경된 코드: ${places}`,
    share: (pct, wholePct) =>
      `요청당 CPU 시간 증가분 ${about(wholePct)}포인트 중 위의 행이 설명하는 것은 ${about(pct)}포인트입니다.`,
    heads: { name: '함수', place: '위치', change: '변화' },
    unnamed: '(익명)',
    gone: '사라짐',
    added: '새로 생김',
    flame: {
      label: (id) => `${id}: 함수 호출 관계. 너비는 비용이며, 달라진 점은 위의 표에 있습니다`,
      frame: ({ name, place, basePct, headPct, ownBasePct, ownHeadPct }) =>
        `${name}${place && ` (${place})`}: ${portion(headPct / 100)}, 이전 ${portion(basePct / 100)}; 함수 자체 ${portion(ownHeadPct / 100)}, 이전 ${portion(ownBasePct / 100)}`,
      chain: (calls) => `⋯ 통과 호출 ${count(calls)}개`,
      caption:
        '변경 후의 호출을 위에서 아래로 그렸으며 너비는 비용입니다. 주황색과 +: 비용이 늘어난 함수. 파란색과 −: 비용이 줄어든 함수. 회색: 뚜렷한 변화 없음.',
      vanished: (names) => `더 이상 호출되지 않거나 비용이 거의 없어 사라진 함수: ${list(names)}.`,
    },
  },

  trend: {
    title: '추세',
    about: ({ runs, cases: n, kinds, from, to }) =>
      `${from}부터 ${to}까지 실행 ${count(runs)}건, ${cases(n)}, 머신 ${count(kinds)}종류. 값은 같은 실행의 참조 서버에 대한 배수입니다.`,
    none: (isOfOthers) =>
      `단계적 변화를 찾지 못했습니다. ${isOfOthers ? '나머지' : '모든'} 케이스가 한 수준에 머물렀습니다.`,
    few: (number) =>
      `실행이 너무 적어 알 수 없는 ${cases(number)}: 단계적 변화를 찾으려면 그 앞뒤로 두 번씩은 실행해야 합니다.`,
    heads: { day: '날짜', commits: '커밋(신뢰도 95 %)', id: '케이스', change: '변화' },
    everywhere: '모든 서버에서 동시에: 머신, 런타임 또는 참조 서버의 변화',
    tooFew: '추세를 그리려면 참조 서버와 함께 두 번 이상 측정된 케이스가 필요합니다.',
    spread: (spreadPct) =>
      spreadPct === undefined ? '실행이 너무 적음' : `실행 간 노이즈 ${unsigned(spreadPct)}`,
    caption: '점: 실행. 가로선: 머신 종류별 수준. 세로선: 단계적 변화.',
    recent: (runs) => `최근 ${count(runs)}건`,
    machines: '머신 종류(수준은 종류마다 다름)',
    runs: (runs) => `실행 ${count(runs)}건`,
  },
};
