-- The record of a call that is a job has its id from the start.
ALTER TYPE "recorded_call" ADD ATTRIBUTE "job_id" text;
