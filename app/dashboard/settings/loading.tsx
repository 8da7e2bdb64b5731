export { SettingsSkeleton as default } from '@/components/shared/skeletons';
