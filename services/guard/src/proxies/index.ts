export {
  type AskedRequest,
  type OriginalRequest,
  originalRequest,
  type ProxyName,
  proxyNames,
  verifyPath,
} from './original-request.ts';
