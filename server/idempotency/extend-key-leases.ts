export { extendKeyLeases } from './store';
