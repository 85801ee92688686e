/**
 * Go.
 * @import { Runtime } from '../runtimes.js'
 */

/** @type {Runtime} */
export const go = {
  label: 'Go',
  programs: { go: 'sudo apt-get install golang-go' },
  versionArgument: 'version',
  manifests: ['go.mod'],
  roots: ['go.work'],
  variables: (
    'GOROOT GOROOT_* GOPATH GOBIN GOENV GOCACHE GOMODCACHE GOTOOLCHAIN GOFLAGS GOPROXY GOSUMDB GOPRIVATE ' +
    'GONOPROXY GONOSUMDB GOINSECURE CGO_ENABLED GOMAXPROCS'
  ).split(' '),
};
