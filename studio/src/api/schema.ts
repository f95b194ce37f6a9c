// Made by `npm run gen` from openapi.json.
export interface paths {
    "/api/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists agents, the longest silent first. A page is bounded; `cursor` says where the next one begins. */
        get: operations["agents_ls"];
        put?: never;
        /** Registers an agent, or says more about one that is registered. */
        post: operations["agents_register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Says that an agent is alive, and asks what waits for it. */
        post: operations["agents_heartbeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows one agent. */
        get: operations["agents_show"];
        put?: never;
        post?: never;
        /** Ends an agent's session; what it held passes on. */
        delete: operations["agents_deregister"];
        options?: never;
        head?: never;
        /** Changes task, status or blob of an agent. */
        patch: operations["agents_update"];
        trace?: never;
    };
    "/api/v1/agents/{agent}/drain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lets an agent finish what it has and take nothing new. */
        post: operations["agents_drain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Refuses every later write of an agent, whether it listens or not. */
        post: operations["agents_revoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/lift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lifts a ban, so that the agent may register again. */
        post: operations["agents_lift"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/locks/{lock}/acquire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes one lock, or several all or none. */
        post: operations["locks_acquire"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/locks/{lock}/renew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Extends a hold. */
        post: operations["locks_renew"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/locks/{lock}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives a lock back. */
        post: operations["locks_release"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/locks/{lock}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives up a place in the queue of a lock. */
        post: operations["locks_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/locks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists what is held. */
        get: operations["locks_ls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/locks/{lock}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows who holds a lock and who waits for it. */
        get: operations["locks_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/locks/{lock}/steal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Breaks a lock that a foreign client left behind, if the rule allows it. */
        post: operations["locks_steal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/locks/{lock}/guard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs one write only if the token is the lock's current one. */
        post: operations["locks_guard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/locks/deadlocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists rings of agents that wait for each other. */
        get: operations["locks_deadlocks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/locks/deadlocks/break": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Breaks each ring of agents that wait for each other: one wait in it is failed, and nothing that is held is taken away. */
        post: operations["locks_break"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/locks/waits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists who waits for which lock, and who is in the way. */
        get: operations["locks_waits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queues/{queue}/push": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Puts an item on a queue. */
        post: operations["queues_push"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queues/{queue}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes items under a lease, from the most urgent of some queues. */
        post: operations["queues_claim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queues/ack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Says that items are done. */
        post: operations["queues_ack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queues/nack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Says that an attempt failed; the item comes again after a while, or goes to the dead letters. */
        post: operations["queues_nack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queues/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes more time for items. */
        post: operations["queues_extend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the queues. */
        get: operations["queues_ls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queues/{queue}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows one queue: how much waits, since when, and who works on it. */
        get: operations["queues_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queues/{queue}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stops a queue from giving out items. */
        post: operations["queues_pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queues/{queue}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lets a paused queue go on. */
        post: operations["queues_resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dead": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists dead letters, the newest first. */
        get: operations["dead_ls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dead/clusters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the failures that dead letters have in common, the latest first. */
        get: operations["dead_clusters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dead/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows one dead letter with its payload and its history. */
        get: operations["dead_show"];
        put?: never;
        post?: never;
        /** Deletes dead letters; the audit keeps who and why. */
        delete: operations["dead_drop"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dead/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives letters another life where they came from, once for each time they died. */
        post: operations["dead_replay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dead/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives one letter another life where it came from. */
        post: operations["dead_replay_one"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dead/{id}/investigate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Notes what you found out about a dead letter. */
        post: operations["dead_investigate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dead/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists dead letters of relayna's store, the newest first. */
        get: operations["dead_records"];
        put?: never;
        /** Takes a dead letter into relayna's store. */
        post: operations["dead_keep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dead/records/{dlq_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows one dead letter of relayna's store, with what was reported of its task. */
        get: operations["dead_record"];
        put?: never;
        post?: never;
        /** Deletes a dead letter of relayna's store; the audit keeps who and why. */
        delete: operations["dead_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dead/sums": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts the dead letters of each queue of relayna's store. */
        get: operations["dead_sums"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dead/failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists failed tasks for their review, the last to fail first. */
        get: operations["dead_failed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dead/failed/{failure_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows one failed task with everything that was kept of it, and what was reported of it. */
        get: operations["dead_failure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dead/records/{dlq_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Puts a dead letter of relayna's store into its retry queue again, once. */
        post: operations["dead_retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dead/records/{dlq_id}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Marks a dead letter of relayna's store as looked into, or takes that mark away. */
        post: operations["dead_review"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a message to one agent. */
        post: operations["messages_send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/broadcast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a message to every live agent but the sender; each recipient gets one of its own. */
        post: operations["messages_broadcast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/inbox/{agent}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows what is in an inbox, the oldest first; nothing is changed by looking. */
        get: operations["messages_inbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/inboxes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts what waits in the inbox of every agent, the fullest first; nothing is changed by looking. */
        get: operations["messages_inboxes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/inbox/{agent}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives an agent its oldest messages and notes that they were read; they stay until they are acknowledged. */
        post: operations["messages_read"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/inbox/{agent}/ack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Acknowledges messages; they leave the inbox. */
        post: operations["messages_ack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows what was sent and how far each message got, the newest first: of an agent, of a thread, or one message. */
        get: operations["messages_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the streams and who reads them. */
        get: operations["events_ls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{stream}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the newest entries of a stream, the oldest of them first. */
        get: operations["events_newest"];
        put?: never;
        /** Puts an event on a stream. */
        post: operations["events_publish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{stream}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reads for a group: what a dead consumer left, then what is new. */
        post: operations["events_read"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{stream}/ack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Acknowledges what was read. */
        post: operations["events_ack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{stream}/nack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives back what was read and is not taken; it is delivered again at once. */
        post: operations["events_nack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the groups and how far they are. */
        get: operations["events_groups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{stream}/groups/{group}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends a group, so that nothing is kept for it. */
        delete: operations["events_forget"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/losses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists what was destroyed before a group had acknowledged it, by stream and group. */
        get: operations["events_losses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/losses/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists each loss by itself, the newest first. */
        get: operations["events_loss_log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/observations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists pending observations, or dead ones, the newest of them with the oldest first. */
        get: operations["observations_ls"];
        put?: never;
        /** Hands an observation in; the same one within 15 minutes is refused and goes to the dead ones. */
        post: operations["observations_submit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/observations/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reads pending observations for a group. */
        post: operations["observations_read"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/observations/ack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Says that observations are consolidated. */
        post: operations["observations_ack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/observations/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Puts an observation that failed with the dead ones. */
        post: operations["observations_reject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/observations/{id}/revive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a dead observation through again. */
        post: operations["observations_revive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/observations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes dead observations. */
        delete: operations["observations_drop"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/logs/{service}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the last records of one or several services, in order. */
        get: operations["logs_tail"];
        put?: never;
        /** Sends one record. */
        post: operations["logs_emit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the services that have logged. */
        get: operations["logs_ls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the jobs to come, the next one first. A page is bounded; `cursor` says where the next one begins. */
        get: operations["jobs_ls"];
        put?: never;
        /** Schedules a job: once at a time or after a while, or again and again. Say one of `at`, `in` and `cron`. */
        post: operations["jobs_schedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows one job and its last occurrences. */
        get: operations["jobs_show"];
        put?: never;
        post?: never;
        /** Takes a job out of the schedule. */
        delete: operations["jobs_cancel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs a job once more now. */
        post: operations["jobs_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{task_id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reports what became of a task. */
        post: operations["tasks_status"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists tasks, the one that reported last first, or shows those that are named. */
        get: operations["tasks_ls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Finds tasks of all services by what is known of them, the last seen first. All that is given must hold, and something */
        get: operations["tasks_search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows what became of a task: the status that counts, its last event and its kin. */
        get: operations["tasks_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{task_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the last status events of a task, newest first. */
        get: operations["tasks_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{task_id}/children": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the tasks that named this one as their parent. */
        get: operations["tasks_children"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{task_id}/observations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists what was seen to happen to a task, newest first. */
        get: operations["tasks_observations"];
        put?: never;
        /** Notes what was seen to happen to a task, for its timeline and its execution graph. */
        post: operations["tasks_observe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/-/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Pages through the events of all tasks, newest first; or from a cursor on, oldest first. */
        get: operations["tasks_feed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{task_id}/lease": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Leases a task to a worker. If the worker is not heard from before it lapses, what was asked for is done. */
        post: operations["tasks_lease"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{task_id}/lease/beat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Renews the lease of a task from now on. */
        post: operations["tasks_beat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{task_id}/lease/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives the lease of a task back. */
        post: operations["tasks_release"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/-/leases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the leases of tasks, the one that lapses first first. */
        get: operations["tasks_leases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/-/backpressure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says where work piles up: queues, workers, leases, dead letters, each with how serious it is. */
        get: operations["tasks_pressure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{task_id}/graph": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows what caused what: the attempts, retries, stages, children and ends of a task as a graph. */
        get: operations["tasks_graph"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the services, of one environment or of all, and how each fares. */
        get: operations["services_ls"];
        put?: never;
        /** Registers a service: its id stays, and no other has its URL in its environment. */
        post: operations["services_register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{service_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a service, how it fares and how reading its feed goes. */
        get: operations["services_show"];
        put?: never;
        post?: never;
        /** Deletes a service with its health, its cursor and its events. */
        delete: operations["services_delete"];
        options?: never;
        head?: never;
        /** Changes a service; what is not said stays, and its id always does. */
        patch: operations["services_update"];
        trace?: never;
    };
    "/api/v1/services/{service_id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Keeps a service from being called until somebody enables it. */
        post: operations["services_disable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{service_id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lets a service be called again; when it answers it is healthy. */
        post: operations["services_enable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{service_id}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Asks a service what it can do; one that answers is healthy, unless it is disabled. */
        post: operations["services_refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{service_id}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says how a service fares, judged now by what was last seen of it. */
        get: operations["services_health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{service_id}/health/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Looks at a service now, and says how it fares. */
        post: operations["services_check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{service_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the events of a service, the last that came first. */
        get: operations["services_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{service_id}/pull": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reads the feed of a service now. */
        post: operations["services_pull"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes in events that services push; each once, however often it comes. */
        post: operations["services_ingest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{service_id}/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Asks a service for what it says of its own tasks. */
        post: operations["services_ask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{service_id}/tasks/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Gathers what a service knows of a task, and says what could not be had. */
        get: operations["services_task"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gathers the failed tasks of all services, and says who did not answer. */
        post: operations["services_failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{service_id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows what a service has logged, the last line first, as the Loki that its record names has it. All that is given must hold. */
        get: operations["services_logs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{service_id}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows what is measured of a service, as the Prometheus that its record names has it: of the last hour, or while a task ran. */
        get: operations["services_metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{service_id}/pods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the pods in which a service runs, as the Prometheus that its record names knows them. */
        get: operations["services_pods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{service_id}/tasks/{task_id}/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the traces that a task of a service left, as the Tempo that the service's record names has them. */
        get: operations["services_traces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{service_id}/failed/{failure_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows one failed task of a service, as the service has it. */
        get: operations["services_failure"];
        put?: never;
        post?: never;
        /** Deletes a failed task of a service, there. */
        delete: operations["services_discard"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{service_id}/failed/{failure_id}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Marks a failed task of a service as looked into, or takes that mark away. */
        post: operations["services_review"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{service_id}/failed/{failure_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Has a service retry a failed task, once. */
        post: operations["services_retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Finds services by the beginnings of words and by what is known of them, by name. All that is given must hold; nothing */
        get: operations["services_search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{workflow}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows one workflow with its stages. */
        get: operations["workflows_show"];
        /** Defines a workflow, or a new version of one; runs keep the version they began with. */
        put: operations["workflows_define"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the workflows, by name. */
        get: operations["workflows_ls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{workflow}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begins the run of a workflow for a task; its entry stages are ready. */
        post: operations["workflows_start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists runs in a state, the latest first. */
        get: operations["workflows_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/runs/{task}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the run of a task: its stages, the attempts under way, and what has come to its joins. */
        get: operations["workflows_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/runs/{task}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says what a run waits for: which edge is missing, who looks after it, and since when. */
        get: operations["workflows_explain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/runs/{task}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends a run. What is under way is not interrupted; its result no longer counts. */
        post: operations["workflows_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/runs/{task}/stages/{stage}/enter": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begins an action of a stage that is ready; complete it, fail it or extend it before its lease ends. */
        post: operations["workflows_enter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/runs/{task}/stages/{stage}/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Keeps an attempt alive, though never beyond the stage's timeout. */
        post: operations["workflows_extend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/runs/{task}/stages/{stage}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Records what an attempt gave, and brings the run to the next stages. */
        post: operations["workflows_complete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/runs/{task}/stages/{stage}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends an attempt that failed; the action is tried again as often as its stage allows, and then given up. */
        post: operations["workflows_fail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/runs/{task}/stages/{stage}/arrive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Brings a branch to the stage that joins it with others; the one that meets the rule lets the stage go. */
        post: operations["workflows_arrive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/runs/{task}/stages/{stage}/expect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Says which branches a join waits for in this run, where the topology does not; branches that came before count. */
        post: operations["workflows_expect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/limits/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes from one or several limits, all or none. */
        post: operations["limits_check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/limits/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Shows how limits stand and which is the tightest; nothing is taken. */
        post: operations["limits_explain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the endpoints that have a limit. */
        get: operations["limits_ls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/limits/{endpoint}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Sets what an endpoint allows each user, such as 100/1m. */
        put: operations["limits_set"];
        post?: never;
        /** Takes a limit away. */
        delete: operations["limits_unset"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dedupe/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Notes a content as seen, and says whether it is the first. */
        post: operations["dedupe_check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dedupe/forget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Forgets a content, so that it is new again. */
        post: operations["dedupe_forget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metrics/{counter}/incr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Raises a counter. */
        post: operations["metrics_incr"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists every counter. */
        get: operations["metrics_ls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the key families. */
        get: operations["keys_ls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts the keys of each family in a sample, with one key of each. A store with few keys is counted in full. */
        get: operations["keys_counts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/{family}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows everything the catalog says about one family. */
        get: operations["keys_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/which": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says which family a key belongs to. */
        get: operations["keys_which"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the tokens, never their secrets. */
        get: operations["tokens_ls"];
        put?: never;
        /** Makes a bearer token. The answer has it, this once. */
        post: operations["tokens_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends a token, and every session that its holder opened. */
        delete: operations["tokens_revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-ins/{user}/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes a one-time code by which somebody signs in. The answer has it, this once. */
        post: operations["sign_ins_invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists open sessions. */
        get: operations["sign_ins_ls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-ins/{user}/role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Gives somebody another role, or none; every session of theirs has it from then on, except for those that were opened */
        put: operations["sign_ins_role"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-ins/{user}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends all sessions of somebody, and makes their codes worthless. */
        delete: operations["sign_ins_revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the webhooks and how their last deliveries went, never their secrets. */
        get: operations["webhooks_ls"];
        put?: never;
        /** Tells an address of events from now on, as signed HTTP calls. The answer has the secret, this once. */
        post: operations["webhooks_add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a webhook and how its last delivery went, never its secret. */
        get: operations["webhooks_show"];
        put?: never;
        post?: never;
        /** Removes a webhook; what was on its way is not sent any more. */
        delete: operations["webhooks_rm"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a webhook a delivery that says nothing, now and once, and says how it went. */
        post: operations["webhooks_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says whether people are told of failed tasks, who they are, and what waits to be told. */
        get: operations["notices_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Changes whether people are told of failed tasks, and how long failures are gathered for one message. */
        patch: operations["notices_set"];
        trace?: never;
    };
    "/api/v1/notices/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Looks for failed tasks now, and tells of them if the wait is over. */
        post: operations["notices_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notices/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a mail that says nothing, now and once, so that the way can be tried. */
        post: operations["notices_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists records of the trail, the newest first. `cursor` says where the next page begins. */
        get: operations["audit_ls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says whether any record of the trail was edited, deleted, put in or moved. */
        get: operations["audit_verify"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says whether everything is all right, and what needs a person now, each with what to do. */
        get: operations["overview_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/overview/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows how the plane has been: depth, oldest age and speed of each queue, agents by state, holds and waits of locks. */
        get: operations["overview_series"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Finds what an id belongs to: an agent, a lock, a task, a run, an item that is being worked on, a dead letter, a failure that letters have in */
        get: operations["find_find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs a person in and sets the cookie. */
        post: operations["sign_in"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends the session of the cookie. */
        post: operations["sign_out"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says who asks, and what they may do. */
        get: operations["me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/live/events/{stream}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follows a stream of events. */
        get: operations["live_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/live/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follows several streams of events. */
        get: operations["live_streams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/live/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follows the logs of services. */
        get: operations["live_logs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/live/tasks/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follows the status of a task until it ends: its history from the oldest event on, then what comes. */
        get: operations["live_tasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/live/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follows who is here. */
        get: operations["live_agents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/live/locks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follows who holds what. */
        get: operations["live_locks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/live/queues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follows how the queues stand. */
        get: operations["live_queues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/live/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follows how the services fare. */
        get: operations["live_services"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/live/services/{service_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follows the events of a service: what there is, from the oldest on, then what comes. */
        get: operations["live_service"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Problem: {
            type: string;
            title: string;
            status: number;
            code: string;
            detail: string;
            message?: string;
            request_id: string;
            field?: string;
            outcome?: string;
            reason?: string;
            next?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    agents_ls: {
        parameters: {
            query?: {
                live?: boolean;
                role?: string | null;
                capability?: string | null;
                limit?: number | null;
                cursor?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agents: {
                            agent: string;
                            label: "online" | "away" | "stale" | "dead";
                            /** Format: uint64 */
                            epoch?: number | null;
                            type?: string | null;
                            role?: string | null;
                            task?: string | null;
                            status?: string | null;
                            parent?: string | null;
                            capabilities: string[];
                            blob?: unknown;
                            /** Format: double */
                            last_heartbeat: number | null;
                            /** Format: double */
                            last_acked_at: number | null;
                            /** Format: double */
                            last_poked_at: number | null;
                            /** Format: double */
                            registered_at: number | null;
                            /** Format: double */
                            lease_until: number | null;
                            drain?: string | null;
                            revoked: boolean;
                            banned?: string | null;
                            presence?: string | null;
                            capacity?: {
                                /** Format: uint64 */
                                max_tasks: number | null;
                                /** Format: uint64 */
                                active_tasks: number;
                                /** Format: uint64 */
                                queued_tasks: number;
                                status: string | null;
                                last_heartbeat: string | null;
                            } | null;
                            unreadable?: string | null;
                        }[];
                        cursor?: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    agents_register: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    agent: string;
                    /**
                     * Format: uint64
                     * @default null
                     */
                    epoch?: number | null;
                    /** @default null */
                    type?: string | null;
                    role?: string | null;
                    /** @default null */
                    task?: string | null;
                    capabilities?: string[];
                    /**
                     * Format: uint32
                     * @default null
                     */
                    max_tasks?: number | null;
                    /** @example 30s */
                    lease?: string | null;
                    blob?: Record<string, never> | string | null;
                    parent?: string | null;
                    as_subagent?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        agent: string;
                        parent: string | null;
                        /** Format: uint64 */
                        epoch: number;
                        lease_until: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    agents_heartbeat: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: uint64
                     * @default null
                     */
                    epoch?: number | null;
                    /** @default false */
                    poke?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        agent: string;
                        /** Format: uint64 */
                        epoch: number;
                        lease_until: string;
                        /** Format: uint64 */
                        messages: number;
                        /** Format: uint64 */
                        unread: number;
                        drain: string | null;
                    } | {
                        outcome: string;
                        agent: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    agents_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agent: string;
                        label: "online" | "away" | "stale" | "dead";
                        /** Format: uint64 */
                        epoch?: number | null;
                        type?: string | null;
                        role?: string | null;
                        task?: string | null;
                        status?: string | null;
                        parent?: string | null;
                        capabilities: string[];
                        blob?: unknown;
                        /** Format: double */
                        last_heartbeat: number | null;
                        /** Format: double */
                        last_acked_at: number | null;
                        /** Format: double */
                        last_poked_at: number | null;
                        /** Format: double */
                        registered_at: number | null;
                        /** Format: double */
                        lease_until: number | null;
                        drain?: string | null;
                        revoked: boolean;
                        banned?: string | null;
                        presence?: string | null;
                        capacity?: {
                            /** Format: uint64 */
                            max_tasks: number | null;
                            /** Format: uint64 */
                            active_tasks: number;
                            /** Format: uint64 */
                            queued_tasks: number;
                            status: string | null;
                            last_heartbeat: string | null;
                        } | null;
                        unreadable?: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    agents_deregister: {
        parameters: {
            query?: {
                epoch?: number | null;
            };
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        agent: string;
                        /** Format: uint64 */
                        epoch: number;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    agents_update: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: uint64
                     * @default null
                     */
                    epoch?: number | null;
                    /** @default null */
                    task?: string | null;
                    /** @enum {string|null} */
                    status?: "pending" | "in_progress" | "blocked" | "done" | null;
                    blob?: Record<string, never> | string | null;
                    /** @default false */
                    merge_blob?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        agent: string;
                        /** Format: uint64 */
                        version: number;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    agents_drain: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default  */
                    reason?: string;
                    /**
                     * Format: uint64
                     * @default null
                     */
                    epoch?: number | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        agent: string;
                        /** Format: uint64 */
                        epoch: number;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    agents_revoke: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default null */
                    ban?: string | null;
                    /**
                     * Format: uint64
                     * @default null
                     */
                    epoch?: number | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        agent: string;
                        /** Format: uint64 */
                        epoch: number;
                        banned: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    agents_lift: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        agent: string;
                        was_banned: boolean;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    locks_acquire: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                lock: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    locks?: string[];
                    agent: string;
                    /**
                     * Format: uint64
                     * @default null
                     */
                    epoch?: number | null;
                    /** @default false */
                    shared?: boolean;
                    /** @example 30s */
                    ttl?: string | null;
                    /** @example 30s */
                    wait?: string | null;
                    priority?: number | null;
                    /** @default  */
                    purpose?: string;
                    /** @example 30s */
                    lock_delay?: string | null;
                    /** @default false */
                    durable?: boolean;
                    /** @default false */
                    detach?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        lock: string;
                        /** Format: uint64 */
                        token: number;
                        expires_at: string;
                        request: string;
                        grants: {
                            lock: string;
                            /** Format: uint64 */
                            token: number;
                            expires_at: string;
                            request: string;
                        }[];
                        durable: boolean;
                    } | {
                        outcome: string;
                        /** Format: uint64 */
                        position: number;
                        request: string;
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        lock: string;
                        /** Format: uint64 */
                        token: number;
                        expires_at: string;
                        request: string;
                        grants: {
                            lock: string;
                            /** Format: uint64 */
                            token: number;
                            expires_at: string;
                            request: string;
                        }[];
                        durable: boolean;
                    } | {
                        outcome: string;
                        /** Format: uint64 */
                        position: number;
                        request: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    locks_renew: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                lock: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    agent: string;
                    /**
                     * Format: uint64
                     * @default null
                     */
                    epoch?: number | null;
                    /** Format: uint64 */
                    token: number;
                    /** @example 30s */
                    ttl?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        lock: string;
                        /** Format: uint64 */
                        token: number;
                        expires_at: string;
                        request: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    locks_release: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                lock: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    agent: string;
                    /**
                     * Format: uint64
                     * @default null
                     */
                    epoch?: number | null;
                    /** Format: uint64 */
                    token: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        lock: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    locks_cancel: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                lock: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    request: string;
                    agent?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        lock: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    locks_ls: {
        parameters: {
            query?: {
                agent?: string | null;
                limit?: number | null;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        lock: string;
                        agent: string;
                        mode: string;
                        acquired_at: string;
                        expires_at: string;
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    locks_show: {
        parameters: {
            query?: {
                limit?: number | null;
            };
            header?: never;
            path: {
                lock: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        lock: string;
                        /** Format: uint64 */
                        token: number;
                        /** Format: uint64 */
                        waiting: number;
                        holders: {
                            agent: string;
                            mode: string;
                            /** Format: uint64 */
                            token: number;
                            expires_at: string;
                            acquired_at: string;
                            purpose: string;
                            /** Format: uint64 */
                            epoch: number;
                            living: boolean;
                        }[];
                        waiters: {
                            agent: string;
                            mode: string;
                            request: string;
                            since: string;
                            deadline: string;
                            /** Format: int64 */
                            priority: number;
                            purpose: string;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    locks_steal: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                lock: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    agent: string;
                    /**
                     * Format: uint64
                     * @default null
                     */
                    epoch?: number | null;
                    owner: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        lock: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    locks_guard: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                lock: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uint64 */
                    token: number;
                    write: string[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        reply: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    locks_deadlocks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deadlocks: string[][];
                        broken: boolean;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    locks_break: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deadlocks: string[][];
                        broken: boolean;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    locks_waits: {
        parameters: {
            query?: {
                limit?: number | null;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agent: string;
                        lock: string;
                        behind: string[];
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    queues_push: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                queue: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    payload: string;
                    /** @default null */
                    key?: string | null;
                    /** @default null */
                    group?: string | null;
                    needs?: string[];
                    /** @example 30s */
                    delay?: string | null;
                    max_attempts?: number | null;
                    max_depth?: number | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        id: string;
                        queue: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    queues_claim: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                queue: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    queues?: string[];
                    agent: string;
                    /**
                     * Format: uint64
                     * @default null
                     */
                    epoch?: number | null;
                    /** @example 30s */
                    lease?: string | null;
                    /** @example 30s */
                    wait?: string | null;
                    max?: number | null;
                    done?: string[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        items: {
                            id: string;
                            token: string;
                            payload: string;
                            /** Format: uint32 */
                            attempt: number;
                            queue: string;
                            lease_until: string;
                            traceparent?: string | null;
                            tracestate?: string | null;
                            payload_bytes?: number[] | null;
                        }[];
                        paused?: boolean;
                        stale?: string[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    queues_ack: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token?: string | null;
                    tokens?: string[];
                    agent: string;
                    /**
                     * Format: uint64
                     * @default null
                     */
                    epoch?: number | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        token: string;
                        tokens?: {
                            token: string;
                            outcome: string;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    queues_nack: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                    agent: string;
                    /**
                     * Format: uint64
                     * @default null
                     */
                    epoch?: number | null;
                    /** @default  */
                    error?: string;
                    /** @example 30s */
                    delay?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        token: string;
                        due?: string | null;
                        letter?: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    queues_extend: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token?: string | null;
                    tokens?: string[];
                    agent: string;
                    /**
                     * Format: uint64
                     * @default null
                     */
                    epoch?: number | null;
                    /** @example 30s */
                    lease?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        token: string;
                        lease_until: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    queues_ls: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        queue: string;
                        /** Format: uint64 */
                        depth: number;
                        /** Format: uint64 */
                        in_flight: number;
                        /** Format: uint64 */
                        delayed: number;
                        /** Format: uint64 */
                        oldest_age_ms: number | null;
                        paused: boolean;
                        paused_by: string | null;
                        /** Format: uint64 */
                        stale: number;
                        /** Format: uint64 */
                        dead: number;
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    queues_show: {
        parameters: {
            query?: {
                limit?: number | null;
            };
            header?: never;
            path: {
                queue: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        queue: string;
                        /** Format: uint64 */
                        depth: number;
                        /** Format: uint64 */
                        in_flight: number;
                        /** Format: uint64 */
                        delayed: number;
                        /** Format: uint64 */
                        oldest_age_ms: number | null;
                        paused: boolean;
                        paused_by: string | null;
                        /** Format: uint64 */
                        stale: number;
                        /** Format: uint64 */
                        dead: number;
                        claims: {
                            id: string;
                            agent: string;
                            /** Format: uint32 */
                            attempt: number;
                            lease_until: string;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    queues_pause: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                queue: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        queue: string;
                        before: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    queues_resume: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                queue: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        queue: string;
                        before: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dead_ls: {
        parameters: {
            query?: {
                queue?: string | null;
                cluster?: string | null;
                text?: string | null;
                state?: ("open" | "replayed" | "resolved") | null;
                limit?: number | null;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        source: string;
                        item: string;
                        reason: string;
                        /** Format: uint32 */
                        attempts: number;
                        fingerprint: string;
                        by: string;
                        died_at: string;
                        state: string;
                        /** Format: uint32 */
                        replays: number;
                        replayed_as?: string | null;
                        note?: string | null;
                        investigated_by?: string | null;
                        payload: string;
                        history: unknown[];
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dead_clusters: {
        parameters: {
            query?: {
                open?: boolean;
                limit?: number | null;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        fingerprint: string;
                        /** Format: uint64 */
                        count: number;
                        /** Format: uint64 */
                        open: number;
                        last: string;
                        reason: string;
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dead_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        source: string;
                        item: string;
                        reason: string;
                        /** Format: uint32 */
                        attempts: number;
                        fingerprint: string;
                        by: string;
                        died_at: string;
                        state: string;
                        /** Format: uint32 */
                        replays: number;
                        replayed_as?: string | null;
                        note?: string | null;
                        investigated_by?: string | null;
                        payload: string;
                        history: unknown[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dead_drop: {
        parameters: {
            query?: {
                ids?: string[];
                reason?: string;
            };
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        dropped: string[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dead_replay: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    ids?: string[];
                    queue?: string | null;
                    /** @default null */
                    cluster?: string | null;
                    /** @default null */
                    text?: string | null;
                    state?: ("open" | "replayed" | "resolved") | null;
                    /** @default null */
                    payload?: string | null;
                    cap?: number | null;
                    limit?: number | null;
                    /** @example 30s */
                    canary?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        replayed: {
                            letter: string;
                            id: string;
                        }[];
                        refused: {
                            letter: string;
                            code: string;
                            reason: string;
                        }[];
                        id?: string | null;
                        canary?: string | null;
                        /** Format: uint */
                        held_back?: number | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dead_replay_one: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default null */
                    payload?: string | null;
                    cap?: number | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        replayed: {
                            letter: string;
                            id: string;
                        }[];
                        refused: {
                            letter: string;
                            code: string;
                            reason: string;
                        }[];
                        id?: string | null;
                        canary?: string | null;
                        /** Format: uint */
                        held_back?: number | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dead_investigate: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default  */
                    note?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        letter: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dead_records: {
        parameters: {
            query?: {
                queue_name?: string | null;
                task_id?: string | null;
                reason?: string | null;
                source_queue_name?: string | null;
                state?: ("dead_lettered" | "replayed") | null;
                investigated?: boolean | null;
                cursor?: string | null;
                limit?: number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            dlq_id: string;
                            queue_name: string;
                            /** @default  */
                            source_queue_name: string;
                            /** @default  */
                            retry_queue_name: string;
                            /** @default null */
                            task_id: string | null;
                            /** @default null */
                            correlation_id: string | null;
                            /** @default  */
                            reason: string;
                            /** @default null */
                            exception_type: string | null;
                            /**
                             * Format: uint64
                             * @default 0
                             */
                            retry_attempt: number;
                            /**
                             * Format: uint64
                             * @default 0
                             */
                            max_retries: number;
                            /** @default null */
                            content_type: string | null;
                            /** @default  */
                            body_encoding: string;
                            dead_lettered_at: string;
                            state: string;
                            /**
                             * Format: uint64
                             * @default 0
                             */
                            replay_count: number;
                            /** @default null */
                            replayed_at: string | null;
                            /** @default null */
                            replay_target_queue_name: string | null;
                            /** @default {} */
                            headers: {
                                [key: string]: unknown;
                            };
                            /** @default null */
                            body: unknown;
                            /** @default null */
                            diagnosis: unknown;
                            raw_body_b64?: unknown;
                            traceback?: unknown;
                            worker?: unknown;
                            last_logs?: unknown;
                            status?: string | null;
                            failed_at?: string | null;
                            service_name?: string | null;
                            worker_id?: string | null;
                            error_message?: string | null;
                            payload_available?: boolean | null;
                            investigation_status?: string | null;
                            investigated_by?: string | null;
                            investigated_at?: string | null;
                            investigation_note?: string | null;
                            retry_status?: string | null;
                            retried_by?: string | null;
                            retried_at?: string | null;
                            review?: {
                                state: string;
                                by: string;
                                /** @default null */
                                note: string | null;
                                at: string;
                            } | null;
                            replays?: unknown[];
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dead_keep: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    record: Record<string, never> | string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        dlq_id: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dead_record: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dlq_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        dlq_id: string;
                        queue_name: string;
                        /** @default  */
                        source_queue_name: string;
                        /** @default  */
                        retry_queue_name: string;
                        /** @default null */
                        task_id: string | null;
                        /** @default null */
                        correlation_id: string | null;
                        /** @default  */
                        reason: string;
                        /** @default null */
                        exception_type: string | null;
                        /**
                         * Format: uint64
                         * @default 0
                         */
                        retry_attempt: number;
                        /**
                         * Format: uint64
                         * @default 0
                         */
                        max_retries: number;
                        /** @default null */
                        content_type: string | null;
                        /** @default  */
                        body_encoding: string;
                        dead_lettered_at: string;
                        state: string;
                        /**
                         * Format: uint64
                         * @default 0
                         */
                        replay_count: number;
                        /** @default null */
                        replayed_at: string | null;
                        /** @default null */
                        replay_target_queue_name: string | null;
                        /** @default {} */
                        headers: {
                            [key: string]: unknown;
                        };
                        /** @default null */
                        body: unknown;
                        /** @default null */
                        diagnosis: unknown;
                        raw_body_b64?: unknown;
                        traceback?: unknown;
                        worker?: unknown;
                        last_logs?: unknown;
                        status?: string | null;
                        failed_at?: string | null;
                        service_name?: string | null;
                        worker_id?: string | null;
                        error_message?: string | null;
                        payload_available?: boolean | null;
                        investigation_status?: string | null;
                        investigated_by?: string | null;
                        investigated_at?: string | null;
                        investigation_note?: string | null;
                        retry_status?: string | null;
                        retried_by?: string | null;
                        retried_at?: string | null;
                        review?: {
                            state: string;
                            by: string;
                            /** @default null */
                            note: string | null;
                            at: string;
                        } | null;
                        replays?: unknown[];
                        latest_status: unknown;
                        status_history: unknown[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dead_delete: {
        parameters: {
            query?: {
                reason?: string;
            };
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                dlq_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        dlq_id: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dead_sums: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        queues: {
                            queue_name: string;
                            /** Format: uint64 */
                            indexed_count: number;
                            last_indexed_at: string | null;
                            exists: boolean;
                            /** Format: uint64 */
                            message_count: number | null;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dead_failed: {
        parameters: {
            query?: {
                service_name?: string | null;
                queue_name?: string | null;
                dlq_name?: string | null;
                error_type?: string | null;
                status?: string | null;
                task_id?: string | null;
                worker_id?: string | null;
                investigation_status?: "unreviewed" | "investigated" | null;
                failed_from?: string | null;
                failed_to?: string | null;
                cursor?: string | null;
                limit?: number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            failure_id: string;
                            service_name: string | null;
                            task_id: string | null;
                            correlation_id: string | null;
                            queue_name: string;
                            source_queue_name: string;
                            retry_queue_name: string;
                            dlq_name: string;
                            status: string;
                            /** Format: uint64 */
                            attempt: number;
                            /** Format: uint64 */
                            max_attempts: number;
                            failed_at: string;
                            error_type: string | null;
                            error_message: string | null;
                            worker_id: string | null;
                            payload_available: boolean;
                            investigation_status: string;
                            investigated_at: string | null;
                            investigated_by: string | null;
                            investigation_note: string | null;
                            retry_status: string;
                            retried_at: string | null;
                            retried_by: string | null;
                            retry_target_queue: string | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dead_failure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                failure_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        failure_id: string;
                        service_name: string | null;
                        task_id: string | null;
                        correlation_id: string | null;
                        queue_name: string;
                        source_queue_name: string;
                        retry_queue_name: string;
                        dlq_name: string;
                        status: string;
                        /** Format: uint64 */
                        attempt: number;
                        /** Format: uint64 */
                        max_attempts: number;
                        failed_at: string;
                        error_type: string | null;
                        error_message: string | null;
                        worker_id: string | null;
                        payload_available: boolean;
                        investigation_status: string;
                        investigated_at: string | null;
                        investigated_by: string | null;
                        investigation_note: string | null;
                        retry_status: string;
                        retried_at: string | null;
                        retried_by: string | null;
                        retry_target_queue: string | null;
                        dlq_id: string;
                        reason: string;
                        headers: unknown;
                        content_type: string | null;
                        body: unknown;
                        body_encoding: string;
                        raw_body_b64: unknown;
                        traceback: unknown;
                        last_logs: unknown;
                        diagnosis: unknown;
                        replays: unknown[];
                        latest_status: unknown;
                        status_history: unknown[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dead_retry: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                dlq_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default false */
                    force?: boolean;
                    body?: Record<string, never> | unknown[] | string | number | boolean | null;
                    /** @default null */
                    queue?: string | null;
                    /** @default false */
                    by_hand?: boolean;
                    /** @default null */
                    note?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        dlq_id: string;
                        job_id: string;
                        target_queue_name: string;
                        state: string;
                        replayed_at: string;
                        /** Format: uint64 */
                        replay_count: number;
                        forced: boolean;
                        task_id: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dead_review: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                dlq_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default null */
                    note?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        dlq_id: string;
                        queue_name: string;
                        /** @default  */
                        source_queue_name: string;
                        /** @default  */
                        retry_queue_name: string;
                        /** @default null */
                        task_id: string | null;
                        /** @default null */
                        correlation_id: string | null;
                        /** @default  */
                        reason: string;
                        /** @default null */
                        exception_type: string | null;
                        /**
                         * Format: uint64
                         * @default 0
                         */
                        retry_attempt: number;
                        /**
                         * Format: uint64
                         * @default 0
                         */
                        max_retries: number;
                        /** @default null */
                        content_type: string | null;
                        /** @default  */
                        body_encoding: string;
                        dead_lettered_at: string;
                        state: string;
                        /**
                         * Format: uint64
                         * @default 0
                         */
                        replay_count: number;
                        /** @default null */
                        replayed_at: string | null;
                        /** @default null */
                        replay_target_queue_name: string | null;
                        /** @default {} */
                        headers: {
                            [key: string]: unknown;
                        };
                        /** @default null */
                        body: unknown;
                        /** @default null */
                        diagnosis: unknown;
                        raw_body_b64?: unknown;
                        traceback?: unknown;
                        worker?: unknown;
                        last_logs?: unknown;
                        status?: string | null;
                        failed_at?: string | null;
                        service_name?: string | null;
                        worker_id?: string | null;
                        error_message?: string | null;
                        payload_available?: boolean | null;
                        investigation_status?: string | null;
                        investigated_by?: string | null;
                        investigated_at?: string | null;
                        investigation_note?: string | null;
                        retry_status?: string | null;
                        retried_by?: string | null;
                        retried_at?: string | null;
                        review?: {
                            state: string;
                            by: string;
                            /** @default null */
                            note: string | null;
                            at: string;
                        } | null;
                        replays?: unknown[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    messages_send: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    to: string;
                    from: string;
                    /**
                     * Format: uint64
                     * @default null
                     */
                    epoch?: number | null;
                    text: string;
                    kind?: string | null;
                    thread?: string | null;
                    /** @default null */
                    subject?: string | null;
                    blob?: Record<string, never> | string | null;
                    /** @example 30s */
                    ack_by?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        id: string;
                        to: string;
                        sent_at: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    messages_broadcast: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    from: string;
                    /**
                     * Format: uint64
                     * @default null
                     */
                    epoch?: number | null;
                    text: string;
                    kind?: string | null;
                    thread?: string | null;
                    /** @default null */
                    subject?: string | null;
                    blob?: Record<string, never> | string | null;
                    /** @example 30s */
                    ack_by?: string | null;
                    role?: string | null;
                    capability?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        /** Format: uint */
                        sent: number;
                        /** Format: uint */
                        refused: number;
                        recipients: {
                            to: string;
                            outcome: string;
                            id?: string | null;
                            code?: string | null;
                            reason?: string | null;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    messages_inbox: {
        parameters: {
            query?: {
                limit?: number | null;
                newest?: boolean;
            };
            header?: never;
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uint64 */
                        waiting: number;
                        /** Format: uint64 */
                        unread: number;
                        messages: {
                            id: string | null;
                            from: string | null;
                            to: string | null;
                            kind: string | null;
                            subject?: string | null;
                            body: string;
                            blob?: unknown;
                            thread?: string | null;
                            traceparent?: string | null;
                            tracestate?: string | null;
                            sent_at: string | null;
                            state: ("stored" | "read" | "acknowledged") | "delivered" | "acted" | "taken";
                            ack_by?: string | null;
                            delivered_at: string | null;
                            read_at: string | null;
                            acked_at: string | null;
                            acted_on?: string | null;
                            acted_at?: string | null;
                            escalated_at?: string | null;
                            taken_at?: string | null;
                            foreign: boolean;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    messages_inboxes: {
        parameters: {
            query?: {
                waiting?: boolean;
                limit?: number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uint64 */
                        waiting: number;
                        /** Format: uint64 */
                        unread: number;
                        /** Format: uint */
                        counted: number;
                        inboxes: {
                            agent: string;
                            /** Format: uint64 */
                            waiting: number;
                            /** Format: uint64 */
                            unread: number;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    messages_read: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: uint64
                     * @default null
                     */
                    epoch?: number | null;
                    limit?: number | null;
                    /** @default false */
                    unread?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uint64 */
                        waiting: number;
                        /** Format: uint64 */
                        unread: number;
                        messages: {
                            id: string | null;
                            from: string | null;
                            to: string | null;
                            kind: string | null;
                            subject?: string | null;
                            body: string;
                            blob?: unknown;
                            thread?: string | null;
                            traceparent?: string | null;
                            tracestate?: string | null;
                            sent_at: string | null;
                            state: ("stored" | "read" | "acknowledged") | "delivered" | "acted" | "taken";
                            ack_by?: string | null;
                            delivered_at: string | null;
                            read_at: string | null;
                            acked_at: string | null;
                            acted_on?: string | null;
                            acted_at?: string | null;
                            escalated_at?: string | null;
                            taken_at?: string | null;
                            foreign: boolean;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    messages_ack: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uint64
                     * @default null
                     */
                    epoch?: number | null;
                    messages: string[];
                    /** @default null */
                    acted_on?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        messages: {
                            id: string;
                            outcome: string;
                            acked_at?: string | null;
                            code?: string | null;
                            reason?: string | null;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    messages_history: {
        parameters: {
            query?: {
                agent?: string | null;
                thread?: string | null;
                message?: string | null;
                limit?: number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        messages: {
                            id: string | null;
                            from: string | null;
                            to: string | null;
                            kind: string | null;
                            subject?: string | null;
                            body: string;
                            blob?: unknown;
                            thread?: string | null;
                            traceparent?: string | null;
                            tracestate?: string | null;
                            sent_at: string | null;
                            state: ("stored" | "read" | "acknowledged") | "delivered" | "acted" | "taken";
                            ack_by?: string | null;
                            delivered_at: string | null;
                            read_at: string | null;
                            acked_at: string | null;
                            acted_on?: string | null;
                            acted_at?: string | null;
                            escalated_at?: string | null;
                            taken_at?: string | null;
                            foreign: boolean;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    events_ls: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        stream: string;
                        /** Format: uint64 */
                        length: number;
                        groups: string[];
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    events_newest: {
        parameters: {
            query?: {
                limit?: number | null;
            };
            header?: never;
            path: {
                stream: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** Format: uint64 */
                        deliveries?: number;
                        fields: {
                            [key: string]: string;
                        };
                        at: string;
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    events_publish: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                stream: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    event: string;
                    payload?: Record<string, never> | unknown[] | string | number | boolean | null;
                    /** @default null */
                    source?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        stream: string;
                        id: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    events_read: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                stream: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    group: string;
                    consumer: string;
                    start?: string | null;
                    count?: number | null;
                    /** @example 30s */
                    idle?: string | null;
                    /** @example 30s */
                    wait?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        gap: {
                            id: string;
                            /** Format: uint64 */
                            unread: number;
                            /** Format: uint64 */
                            pending: number;
                            exact: boolean;
                            after: string;
                            before: string | null;
                            cause: string;
                            /** Format: uint64 */
                            at: number;
                        } | null;
                        /** Format: uint64 */
                        put_aside: number;
                        entries: {
                            id: string;
                            /** Format: uint64 */
                            deliveries?: number;
                            fields: {
                                [key: string]: string;
                            };
                            at: string;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    events_ack: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                stream: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ids: string[];
                    group: string;
                    /** @default null */
                    consumer?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        /** Format: uint64 */
                        acked: number;
                        stale: string[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    events_nack: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                stream: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ids: string[];
                    group: string;
                    consumer: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        /** Format: uint64 */
                        nacked: number;
                        stale: string[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    events_groups: {
        parameters: {
            query?: {
                stream?: string | null;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        stream: string;
                        group: string;
                        state: string;
                        /** Format: uint64 */
                        consumers: number;
                        /** Format: uint64 */
                        pending: number;
                        /** Format: uint64 */
                        lag: number | null;
                        last_delivered: string;
                        /** Format: uint64 */
                        idle_ms: number | null;
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    events_forget: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                stream: string;
                group: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        stream: string;
                        group: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    events_losses: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        stream: string;
                        group: string;
                        /** Format: uint64 */
                        unread: number;
                        /** Format: uint64 */
                        pending: number;
                        exact: boolean;
                        cause: string;
                        first_at: string;
                        last_at: string;
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    events_loss_log: {
        parameters: {
            query?: {
                limit?: number | null;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** Format: uint64 */
                        deliveries?: number;
                        fields: {
                            [key: string]: string;
                        };
                        at: string;
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    observations_ls: {
        parameters: {
            query?: {
                dead?: boolean;
                limit?: number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** Format: uint64 */
                        deliveries?: number;
                        fields: {
                            [key: string]: string;
                        };
                        at: string;
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    observations_submit: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    content: string;
                    /** @default  */
                    topic?: string;
                    /** @default null */
                    source?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        id: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    observations_read: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default null */
                    group?: string | null;
                    consumer: string;
                    count?: number | null;
                    /** @example 30s */
                    wait?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        gap: {
                            id: string;
                            /** Format: uint64 */
                            unread: number;
                            /** Format: uint64 */
                            pending: number;
                            exact: boolean;
                            after: string;
                            before: string | null;
                            cause: string;
                            /** Format: uint64 */
                            at: number;
                        } | null;
                        /** Format: uint64 */
                        put_aside: number;
                        entries: {
                            id: string;
                            /** Format: uint64 */
                            deliveries?: number;
                            fields: {
                                [key: string]: string;
                            };
                            at: string;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    observations_ack: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ids: string[];
                    /** @default null */
                    group?: string | null;
                    /** @default null */
                    consumer?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        /** Format: uint64 */
                        acked: number;
                        stale: string[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    observations_reject: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
                    /** @default null */
                    group?: string | null;
                    consumer: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        id: string;
                        original_id: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    observations_revive: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        id: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    observations_drop: {
        parameters: {
            query?: {
                ids?: string[];
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        /** Format: uint64 */
                        dropped: number;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    logs_tail: {
        parameters: {
            query?: {
                services?: string[];
                lines?: number | null;
                level?: "info" | "warn" | "error" | null;
                grep?: string | null;
                target?: string | null;
                since?: string | null;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                service: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    logs_emit: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                service: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    message: string;
                    /** @enum {string} */
                    level?: "info" | "warn" | "error";
                    /** @default  */
                    target?: string;
                    /** @default {} */
                    fields?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    logs_ls: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        service: string;
                        /** Format: uint64 */
                        records: number;
                        newest: string;
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    jobs_ls: {
        parameters: {
            query?: {
                ended?: boolean;
                limit?: number | null;
                cursor?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        jobs: {
                            id: string;
                            queue: string;
                            state: string;
                            cron?: string | null;
                            zone?: string | null;
                            overlap: string;
                            catch_up: string;
                            payload: string;
                            next_at: string | null;
                            /** Format: uint64 */
                            occurrences: number;
                            runs?: {
                                id: string;
                                planned_at: string;
                                state: string;
                                at: string;
                                detail?: string;
                            }[];
                        }[];
                        cursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    jobs_schedule: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    queue: string;
                    payload: string;
                    id?: string | null;
                    /** Format: date-time */
                    at?: string | null;
                    /** @example 30s */
                    in?: string | null;
                    /** @default null */
                    cron?: string | null;
                    /** @default null */
                    zone?: string | null;
                    overlap?: "skip" | "queue-one" | "allow";
                    catch_up?: "one" | "all" | "none";
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        id: string;
                        next_at: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    jobs_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        queue: string;
                        state: string;
                        cron?: string | null;
                        zone?: string | null;
                        overlap: string;
                        catch_up: string;
                        payload: string;
                        next_at: string | null;
                        /** Format: uint64 */
                        occurrences: number;
                        runs?: {
                            id: string;
                            planned_at: string;
                            state: string;
                            at: string;
                            detail?: string;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    jobs_cancel: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        id: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    jobs_run: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                job: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        id: string;
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        id: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tasks_status: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    status: string;
                    /** @default null */
                    message?: string | null;
                    meta?: Record<string, never> | string | null;
                    /** @default null */
                    result?: unknown;
                    /** @default null */
                    correlation_id?: string | null;
                    /** @default null */
                    event_id?: string | null;
                    /** @default null */
                    service?: string | null;
                    /** @default null */
                    timestamp?: string | null;
                    fields?: Record<string, never> | string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        task_id: string;
                        /** Format: uint64 */
                        seq: number | null;
                        place: ("latest" | "out_of_order" | "after_end") | null;
                        parent: ("listed" | "none" | "full" | "other_parent") | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tasks_ls: {
        parameters: {
            query?: {
                task?: string[];
                cursor?: string | null;
                limit?: number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tasks: {
                            task_id: string;
                            status: string | null;
                            ended: boolean;
                            at: string | null;
                            /** Format: uint64 */
                            events: number | null;
                            /** Format: uint32 */
                            attempt: number;
                            parent: string | null;
                            /** Format: uint64 */
                            children: number;
                            latest: {
                                [key: string]: unknown;
                            } | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tasks_search: {
        parameters: {
            query?: {
                service_id?: string | null;
                task_id?: string | null;
                correlation_id?: string | null;
                status?: string | null;
                stage?: string | null;
                environment?: string | null;
                from?: string | null;
                to?: string | null;
                cursor?: string | null;
                limit?: number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uint */
                        count: number;
                        items: {
                            service_id: string;
                            /** @default null */
                            service_name: string | null;
                            /** @default null */
                            environment: string | null;
                            task_id: string;
                            /** @default null */
                            correlation_id: string | null;
                            /** @default null */
                            status: string | null;
                            /** @default null */
                            stage: string | null;
                            /** @default null */
                            first_seen_at: string | null;
                            /** @default null */
                            last_seen_at: string | null;
                            /** @default null */
                            latest_event_type: string | null;
                            /** @default null */
                            latest_event_at: string | null;
                            /** @default null */
                            latest_ingested_at: string | null;
                            /** @default null */
                            detail_path: string | null;
                            /** @default null */
                            expires_at: string | null;
                            /** @default null */
                            source: string | null;
                        }[];
                        next_cursor: string | null;
                        catching_up: boolean;
                        errors?: {
                            service_id: string;
                            part: string;
                            code: string;
                            detail: string;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tasks_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task_id: string;
                        status: string | null;
                        ended: boolean;
                        at: string | null;
                        /** Format: uint64 */
                        events: number | null;
                        /** Format: uint32 */
                        attempt: number;
                        parent: string | null;
                        /** Format: uint64 */
                        children: number;
                        latest: {
                            [key: string]: unknown;
                        } | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tasks_history: {
        parameters: {
            query?: {
                limit?: number | null;
            };
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task_id: string;
                        events: {
                            [key: string]: unknown;
                        }[];
                        truncated: boolean;
                        /** Format: uint */
                        unreadable: number;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tasks_children: {
        parameters: {
            query?: {
                limit?: number | null;
            };
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task_id: string;
                        children: string[];
                        /** Format: uint64 */
                        total: number;
                        truncated: boolean;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tasks_observations: {
        parameters: {
            query?: {
                limit?: number | null;
            };
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task_id: string;
                        events: {
                            [key: string]: unknown;
                        }[];
                        truncated: boolean;
                        /** Format: uint */
                        unreadable: number;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tasks_observe: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    event_type: string;
                    /** @default null */
                    component?: string | null;
                    /** @default null */
                    timestamp?: string | null;
                    /** @default null */
                    correlation_id?: string | null;
                    parent_task_id?: string | null;
                    /** @default null */
                    event_id?: string | null;
                    fields?: Record<string, never> | string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        task_id: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tasks_feed: {
        parameters: {
            query?: {
                after?: string | null;
                since?: string | null;
                limit?: number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uint */
                        count: number;
                        items: {
                            [key: string]: unknown;
                        }[];
                        next_cursor: string | null;
                        gap?: {
                            from: string;
                            reason: string;
                            /** Format: uint64 */
                            lost: number | null;
                        } | null;
                        /** Format: uint */
                        unreadable?: number;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tasks_lease: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    owner: string;
                    /** @example 30s */
                    ttl?: string | null;
                    /** @default observe_only */
                    action?: "observe_only" | "publish_stale_status" | "requeue" | "retry" | "dead_letter";
                    queue?: string | null;
                    /** @default null */
                    payload?: string | null;
                    attempt?: number | null;
                    max_retries?: number | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task_id: string;
                        owner: string;
                        token: string;
                        until: string;
                        action: "observe_only" | "publish_stale_status" | "requeue" | "retry" | "dead_letter";
                        /** Format: uint32 */
                        attempt: number;
                        lapsed: boolean;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tasks_beat: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    owner: string;
                    token: string;
                    /** @example 30s */
                    ttl?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        task_id: string;
                        until: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tasks_release: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    owner: string;
                    token: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        task_id: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tasks_leases: {
        parameters: {
            query?: {
                limit?: number | null;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task_id: string;
                        owner: string;
                        token: string;
                        until: string;
                        action: "observe_only" | "publish_stale_status" | "requeue" | "retry" | "dead_letter";
                        /** Format: uint32 */
                        attempt: number;
                        lapsed: boolean;
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tasks_pressure: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        reported_at: string;
                        signals: {
                            scope: string;
                            scope_id: string | null;
                            kind: string;
                            /** @enum {string} */
                            severity: "normal" | "unknown" | "warning" | "critical";
                            observed_at: string;
                            /** Format: double */
                            value: number | null;
                            /** Format: double */
                            threshold: number | null;
                            reason: string | null;
                            recommended_action: string | null;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tasks_graph: {
        parameters: {
            query?: {
                mermaid?: boolean;
            };
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task_id: string;
                        summary: {
                            status: string | null;
                            started_at: string | null;
                            ended_at: string | null;
                            /** Format: uint64 */
                            duration_ms: number | null;
                            graph_completeness: string;
                        };
                        nodes: {
                            id: string;
                            kind: string;
                            task_id: string;
                            label: string;
                            timestamp: string | null;
                            state: string | null;
                            annotations: {
                                [key: string]: unknown;
                            };
                        }[];
                        edges: {
                            source: string;
                            target: string;
                            kind: string;
                            timestamp: string | null;
                        }[];
                        related_task_ids: string[];
                        mermaid?: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_ls: {
        parameters: {
            query?: {
                environment?: string | null;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        service_id: string;
                        name: string;
                        base_url: string;
                        environment: string;
                        /** @default [] */
                        tags: string[];
                        /** @default  */
                        auth_mode: string;
                        /** @default registered */
                        status: "registered" | "healthy" | "unavailable" | "disabled";
                        /** @default null */
                        capabilities: unknown;
                        /** @default null */
                        last_seen_at: string | null;
                        /** @default null */
                        log_config: unknown;
                        /** @default null */
                        metrics_config: unknown;
                        /** @default null */
                        trace_config: unknown;
                        /** @enum {string} */
                        overall_status: "healthy" | "degraded" | "stale" | "unreachable" | "disabled" | "unknown";
                        reasons: string[];
                        last_checked_at: string | null;
                        last_event_at: string | null;
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_register: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    service_id: string;
                    /** @default null */
                    name?: string | null;
                    base_url: string;
                    environment: string;
                    /** @default [] */
                    tags?: string[];
                    /** @default null */
                    auth_mode?: string | null;
                    /** @default null */
                    log_config?: unknown;
                    /** @default null */
                    metrics_config?: unknown;
                    /** @default null */
                    trace_config?: unknown;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        service_id: string;
                        name: string;
                        base_url: string;
                        environment: string;
                        /** @default [] */
                        tags: string[];
                        /** @default  */
                        auth_mode: string;
                        /** @default registered */
                        status: "registered" | "healthy" | "unavailable" | "disabled";
                        /** @default null */
                        capabilities: unknown;
                        /** @default null */
                        last_seen_at: string | null;
                        /** @default null */
                        log_config: unknown;
                        /** @default null */
                        metrics_config: unknown;
                        /** @default null */
                        trace_config: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                service_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        service_id: string;
                        name: string;
                        base_url: string;
                        environment: string;
                        /** @default [] */
                        tags: string[];
                        /** @default  */
                        auth_mode: string;
                        /** @default registered */
                        status: "registered" | "healthy" | "unavailable" | "disabled";
                        /** @default null */
                        capabilities: unknown;
                        /** @default null */
                        last_seen_at: string | null;
                        /** @default null */
                        log_config: unknown;
                        /** @default null */
                        metrics_config: unknown;
                        /** @default null */
                        trace_config: unknown;
                        health: {
                            /** @default  */
                            service_id: string;
                            /** @default registered */
                            registry_status: "registered" | "healthy" | "unavailable" | "disabled";
                            /**
                             * @default {
                             *       "state": "unknown",
                             *       "checked_at": null,
                             *       "error_detail": null
                             *     }
                             */
                            http_status: {
                                /**
                                 * @default unknown
                                 * @enum {string}
                                 */
                                state: "reachable" | "unreachable" | "unknown";
                                /** @default null */
                                checked_at: string | null;
                                /** @default null */
                                error_detail: string | null;
                            };
                            /**
                             * @default {
                             *       "state": "missing",
                             *       "checked_at": null,
                             *       "last_successful_at": null,
                             *       "error_detail": null
                             *     }
                             */
                            capability_status: {
                                /**
                                 * @default missing
                                 * @enum {string}
                                 */
                                state: "fresh" | "stale" | "missing" | "error";
                                /** @default null */
                                checked_at: string | null;
                                /** @default null */
                                last_successful_at: string | null;
                                /** @default null */
                                error_detail: string | null;
                            };
                            /**
                             * @default {
                             *       "state": "missing",
                             *       "latest_status_event_at": null,
                             *       "latest_observation_event_at": null,
                             *       "latest_ingested_at": null
                             *     }
                             */
                            observation_freshness: {
                                /**
                                 * @default missing
                                 * @enum {string}
                                 */
                                state: "fresh" | "stale" | "missing" | "error";
                                /** @default null */
                                latest_status_event_at: string | null;
                                /** @default null */
                                latest_observation_event_at: string | null;
                                /** @default null */
                                latest_ingested_at: string | null;
                            };
                            /**
                             * @default {
                             *       "state": "unknown",
                             *       "reported_at": null,
                             *       "latest_heartbeat_at": null,
                             *       "workers": [],
                             *       "detail": null
                             *     }
                             */
                            worker_health: {
                                /**
                                 * @default unknown
                                 * @enum {string}
                                 */
                                state: "healthy" | "stale" | "unhealthy" | "unsupported" | "unknown";
                                /** @default null */
                                reported_at: string | null;
                                /** @default null */
                                latest_heartbeat_at: string | null;
                                /** @default [] */
                                workers: unknown[];
                                /** @default null */
                                detail: string | null;
                            };
                            /** @default null */
                            last_checked_at: string | null;
                            /**
                             * @default unknown
                             * @enum {string}
                             */
                            overall_status: "healthy" | "degraded" | "stale" | "unreachable" | "disabled" | "unknown";
                            /** @default [] */
                            reasons: string[];
                        };
                        feed: {
                            cursor: string | null;
                            pulled_at: string | null;
                            trouble?: string | null;
                            /** Format: uint64 */
                            gaps: number;
                            gap_at?: string | null;
                            gap_after?: string | null;
                        };
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_delete: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                service_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        service_id: string;
                        /** Format: uint64 */
                        left: number;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_update: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                service_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default null */
                    name?: string | null;
                    base_url?: string | null;
                    environment?: string | null;
                    /** @default null */
                    tags?: string[] | null;
                    /** @default null */
                    auth_mode?: string | null;
                    /**
                     * @default null
                     * @enum {string|null}
                     */
                    status?: "registered" | "unavailable" | "disabled" | null;
                    /** @default null */
                    log_config?: unknown;
                    /** @default null */
                    metrics_config?: unknown;
                    /** @default null */
                    trace_config?: unknown;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        service_id: string;
                        name: string;
                        base_url: string;
                        environment: string;
                        /** @default [] */
                        tags: string[];
                        /** @default  */
                        auth_mode: string;
                        /** @default registered */
                        status: "registered" | "healthy" | "unavailable" | "disabled";
                        /** @default null */
                        capabilities: unknown;
                        /** @default null */
                        last_seen_at: string | null;
                        /** @default null */
                        log_config: unknown;
                        /** @default null */
                        metrics_config: unknown;
                        /** @default null */
                        trace_config: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_disable: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                service_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        service_id: string;
                        name: string;
                        base_url: string;
                        environment: string;
                        /** @default [] */
                        tags: string[];
                        /** @default  */
                        auth_mode: string;
                        /** @default registered */
                        status: "registered" | "healthy" | "unavailable" | "disabled";
                        /** @default null */
                        capabilities: unknown;
                        /** @default null */
                        last_seen_at: string | null;
                        /** @default null */
                        log_config: unknown;
                        /** @default null */
                        metrics_config: unknown;
                        /** @default null */
                        trace_config: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_enable: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                service_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        service_id: string;
                        name: string;
                        base_url: string;
                        environment: string;
                        /** @default [] */
                        tags: string[];
                        /** @default  */
                        auth_mode: string;
                        /** @default registered */
                        status: "registered" | "healthy" | "unavailable" | "disabled";
                        /** @default null */
                        capabilities: unknown;
                        /** @default null */
                        last_seen_at: string | null;
                        /** @default null */
                        log_config: unknown;
                        /** @default null */
                        metrics_config: unknown;
                        /** @default null */
                        trace_config: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_refresh: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                service_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        service_id: string;
                        name: string;
                        base_url: string;
                        environment: string;
                        /** @default [] */
                        tags: string[];
                        /** @default  */
                        auth_mode: string;
                        /** @default registered */
                        status: "registered" | "healthy" | "unavailable" | "disabled";
                        /** @default null */
                        capabilities: unknown;
                        /** @default null */
                        last_seen_at: string | null;
                        /** @default null */
                        log_config: unknown;
                        /** @default null */
                        metrics_config: unknown;
                        /** @default null */
                        trace_config: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_health: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                service_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @default  */
                        service_id: string;
                        /** @default registered */
                        registry_status: "registered" | "healthy" | "unavailable" | "disabled";
                        /**
                         * @default {
                         *       "state": "unknown",
                         *       "checked_at": null,
                         *       "error_detail": null
                         *     }
                         */
                        http_status: {
                            /**
                             * @default unknown
                             * @enum {string}
                             */
                            state: "reachable" | "unreachable" | "unknown";
                            /** @default null */
                            checked_at: string | null;
                            /** @default null */
                            error_detail: string | null;
                        };
                        /**
                         * @default {
                         *       "state": "missing",
                         *       "checked_at": null,
                         *       "last_successful_at": null,
                         *       "error_detail": null
                         *     }
                         */
                        capability_status: {
                            /**
                             * @default missing
                             * @enum {string}
                             */
                            state: "fresh" | "stale" | "missing" | "error";
                            /** @default null */
                            checked_at: string | null;
                            /** @default null */
                            last_successful_at: string | null;
                            /** @default null */
                            error_detail: string | null;
                        };
                        /**
                         * @default {
                         *       "state": "missing",
                         *       "latest_status_event_at": null,
                         *       "latest_observation_event_at": null,
                         *       "latest_ingested_at": null
                         *     }
                         */
                        observation_freshness: {
                            /**
                             * @default missing
                             * @enum {string}
                             */
                            state: "fresh" | "stale" | "missing" | "error";
                            /** @default null */
                            latest_status_event_at: string | null;
                            /** @default null */
                            latest_observation_event_at: string | null;
                            /** @default null */
                            latest_ingested_at: string | null;
                        };
                        /**
                         * @default {
                         *       "state": "unknown",
                         *       "reported_at": null,
                         *       "latest_heartbeat_at": null,
                         *       "workers": [],
                         *       "detail": null
                         *     }
                         */
                        worker_health: {
                            /**
                             * @default unknown
                             * @enum {string}
                             */
                            state: "healthy" | "stale" | "unhealthy" | "unsupported" | "unknown";
                            /** @default null */
                            reported_at: string | null;
                            /** @default null */
                            latest_heartbeat_at: string | null;
                            /** @default [] */
                            workers: unknown[];
                            /** @default null */
                            detail: string | null;
                        };
                        /** @default null */
                        last_checked_at: string | null;
                        /**
                         * @default unknown
                         * @enum {string}
                         */
                        overall_status: "healthy" | "degraded" | "stale" | "unreachable" | "disabled" | "unknown";
                        /** @default [] */
                        reasons: string[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_check: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                service_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @default  */
                        service_id: string;
                        /** @default registered */
                        registry_status: "registered" | "healthy" | "unavailable" | "disabled";
                        /**
                         * @default {
                         *       "state": "unknown",
                         *       "checked_at": null,
                         *       "error_detail": null
                         *     }
                         */
                        http_status: {
                            /**
                             * @default unknown
                             * @enum {string}
                             */
                            state: "reachable" | "unreachable" | "unknown";
                            /** @default null */
                            checked_at: string | null;
                            /** @default null */
                            error_detail: string | null;
                        };
                        /**
                         * @default {
                         *       "state": "missing",
                         *       "checked_at": null,
                         *       "last_successful_at": null,
                         *       "error_detail": null
                         *     }
                         */
                        capability_status: {
                            /**
                             * @default missing
                             * @enum {string}
                             */
                            state: "fresh" | "stale" | "missing" | "error";
                            /** @default null */
                            checked_at: string | null;
                            /** @default null */
                            last_successful_at: string | null;
                            /** @default null */
                            error_detail: string | null;
                        };
                        /**
                         * @default {
                         *       "state": "missing",
                         *       "latest_status_event_at": null,
                         *       "latest_observation_event_at": null,
                         *       "latest_ingested_at": null
                         *     }
                         */
                        observation_freshness: {
                            /**
                             * @default missing
                             * @enum {string}
                             */
                            state: "fresh" | "stale" | "missing" | "error";
                            /** @default null */
                            latest_status_event_at: string | null;
                            /** @default null */
                            latest_observation_event_at: string | null;
                            /** @default null */
                            latest_ingested_at: string | null;
                        };
                        /**
                         * @default {
                         *       "state": "unknown",
                         *       "reported_at": null,
                         *       "latest_heartbeat_at": null,
                         *       "workers": [],
                         *       "detail": null
                         *     }
                         */
                        worker_health: {
                            /**
                             * @default unknown
                             * @enum {string}
                             */
                            state: "healthy" | "stale" | "unhealthy" | "unsupported" | "unknown";
                            /** @default null */
                            reported_at: string | null;
                            /** @default null */
                            latest_heartbeat_at: string | null;
                            /** @default [] */
                            workers: unknown[];
                            /** @default null */
                            detail: string | null;
                        };
                        /** @default null */
                        last_checked_at: string | null;
                        /**
                         * @default unknown
                         * @enum {string}
                         */
                        overall_status: "healthy" | "degraded" | "stale" | "unreachable" | "disabled" | "unknown";
                        /** @default [] */
                        reasons: string[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_events: {
        parameters: {
            query?: {
                task_id?: string | null;
                source_kind?: "status" | "observation" | null;
                event_type?: string | null;
                before?: string | null;
                limit?: number | null;
            };
            header?: never;
            path: {
                service_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uint */
                        count: number;
                        items: {
                            [key: string]: unknown;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_pull: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                service_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        service_id: string;
                        /** Format: uint64 */
                        inserted: number;
                        /** Format: uint64 */
                        duplicate: number;
                        /** Format: uint64 */
                        invalid: number;
                        more: boolean;
                        gap: boolean;
                        trouble?: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_ingest: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    events: {
                        service_id: string;
                        /**
                         * @default null
                         * @enum {string|null}
                         */
                        ingest_method?: "push" | "pull" | null;
                        event: unknown;
                    }[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uint64 */
                        inserted: number;
                        /** Format: uint64 */
                        duplicate: number;
                        /** Format: uint64 */
                        invalid: number;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_ask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                service_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    what: "status" | "history" | "graph" | "dead" | "broker_dead" | "topology" | "pressure" | "failed";
                    task_id?: string | null;
                    /** @default {} */
                    query?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                service_id: string;
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        service: {
                            service_id: string;
                            name: string;
                            base_url: string;
                            environment: string;
                            /** @default [] */
                            tags: string[];
                            /** @default  */
                            auth_mode: string;
                            /** @default registered */
                            status: "registered" | "healthy" | "unavailable" | "disabled";
                            /** @default null */
                            capabilities: unknown;
                            /** @default null */
                            last_seen_at: string | null;
                            /** @default null */
                            log_config: unknown;
                            /** @default null */
                            metrics_config: unknown;
                            /** @default null */
                            trace_config: unknown;
                        };
                        service_id: string;
                        task_id: string;
                        latest_status: unknown;
                        history: unknown;
                        dlq_messages: unknown;
                        execution_graph: unknown;
                        errors: {
                            service_id: string;
                            part: string;
                            code: string;
                            detail: string;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_failed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    environment?: string | null;
                    service_id?: string | null;
                    /** @default {} */
                    query?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uint */
                        count: number;
                        items: unknown[];
                        scanned_services: string[];
                        errors: {
                            service_id: string;
                            part: string;
                            code: string;
                            detail: string;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_logs: {
        parameters: {
            query?: {
                task_id?: string | null;
                correlation_id?: string | null;
                level?: string | null;
                source?: string | null;
                pod?: string | null;
                query?: string | null;
                before?: string | null;
                from?: string | null;
                to?: string | null;
                limit?: number | null;
            };
            header?: never;
            path: {
                service_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uint */
                        count: number;
                        items: {
                            service_id: string;
                            task_id: string | null;
                            correlation_id: string | null;
                            timestamp: string;
                            level: string | null;
                            source: string;
                            message: string;
                            fields: unknown;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_metrics: {
        parameters: {
            query?: {
                task_id?: string | null;
                from?: string | null;
                to?: string | null;
                step?: number | null;
                group?: ("cpu_usage" | "memory_usage" | "cpu_requests" | "cpu_limits" | "memory_requests" | "memory_limits" | "restarts" | "oom_killed" | "pod_phase" | "readiness" | "network_receive" | "network_transmit" | "tasks_started_rate" | "tasks_failed_rate" | "tasks_retried_rate" | "tasks_dlq_rate" | "task_duration_p95" | "active_tasks" | "worker_heartbeat" | "queue_publish_rate" | "status_events_rate" | "observation_events_rate")[];
            };
            header?: never;
            path: {
                service_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        service_id: string;
                        task_id: string | null;
                        from: string;
                        to: string;
                        /** Format: uint64 */
                        step_seconds: number;
                        approximate: boolean;
                        warnings: string[];
                        series: {
                            /** @enum {string} */
                            metric: "cpu_usage" | "memory_usage" | "cpu_requests" | "cpu_limits" | "memory_requests" | "memory_limits" | "restarts" | "oom_killed" | "pod_phase" | "readiness" | "network_receive" | "network_transmit" | "tasks_started_rate" | "tasks_failed_rate" | "tasks_retried_rate" | "tasks_dlq_rate" | "task_duration_p95" | "active_tasks" | "worker_heartbeat" | "queue_publish_rate" | "status_events_rate" | "observation_events_rate";
                            unit: string;
                            labels: {
                                [key: string]: string;
                            };
                            points: {
                                timestamp: string;
                                /** Format: double */
                                value: number | null;
                            }[];
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_pods: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                service_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        service_id: string;
                        /** Format: uint */
                        count: number;
                        pods: {
                            name: string;
                            namespace: string;
                            phase: string | null;
                            labels: {
                                [key: string]: string;
                            };
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_traces: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                service_id: string;
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        service_id: string;
                        task_id: string;
                        trace_ids: string[];
                        spans: {
                            trace_id: string;
                            span_id: string;
                            parent_span_id: string | null;
                            name: string;
                            kind: string | null;
                            service: string | null;
                            source: string | null;
                            start_time: string | null;
                            end_time: string | null;
                            /** Format: double */
                            duration_ms: number | null;
                            attributes: {
                                [key: string]: unknown;
                            };
                            backend_url: string | null;
                        }[];
                        warnings: string[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_failure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                service_id: string;
                failure_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_discard: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                service_id: string;
                failure_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_review: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                service_id: string;
                failure_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default null */
                    investigated?: boolean | null;
                    /** @default null */
                    note?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_retry: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                service_id: string;
                failure_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default null */
                    target_queue?: string | null;
                    override_payload?: Record<string, never> | unknown[] | string | number | boolean | null;
                    /** @default null */
                    note?: string | null;
                    /** @default false */
                    force?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    services_search: {
        parameters: {
            query?: {
                query?: string | null;
                environment?: string | null;
                status?: string | null;
                health?: string | null;
                tag?: string | null;
                cursor?: string | null;
                limit?: number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uint */
                        count: number;
                        items: {
                            service_id: string;
                            name: string;
                            environment: string;
                            /** @default [] */
                            tags: string[];
                            status: string;
                            health_status?: string | null;
                            /** @default  */
                            base_url: string;
                            /** @default  */
                            auth_mode: string;
                            /** @default null */
                            last_seen_at: string | null;
                            matched_fields: string[];
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_show: {
        parameters: {
            query?: {
                version?: number | null;
            };
            header?: never;
            path: {
                workflow: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workflow: string;
                        /** Format: uint64 */
                        version: number;
                        digest: string;
                        defined_by: string;
                        defined_at: string;
                        topology: {
                            entry: string[];
                            stages: {
                                name: string;
                                accepted_actions?: string[];
                                produced_actions?: string[];
                                allowed_next_stages?: string[];
                                /** @default false */
                                terminal: boolean;
                                /** Format: uint64 */
                                timeout_ms?: number | null;
                                /**
                                 * Format: uint32
                                 * @default 0
                                 */
                                max_retries: number;
                                /**
                                 * Format: uint64
                                 * @default 0
                                 */
                                retry_delay_ms: number;
                                /** Format: uint32 */
                                max_inflight?: number | null;
                                /** Format: uint64 */
                                sla_ms?: number | null;
                                dedup_key_fields?: string[];
                                owner?: string | null;
                                tags?: string[];
                                payload_schema?: unknown;
                                queue?: string | null;
                                /** @default fail */
                                on_failure: "fail" | "continue";
                                join?: {
                                    /** @default all */
                                    rule: "all" | "any" | "at_least" | "deadline";
                                    /** Format: uint32 */
                                    at_least?: number | null;
                                    branches?: string[];
                                    /** Format: uint64 */
                                    deadline_ms?: number | null;
                                } | null;
                            }[];
                            /** Format: uint64 */
                            timeout_ms?: number | null;
                        };
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_define: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                workflow: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    topology: {
                        entry: string[];
                        stages: {
                            name: string;
                            accepted_actions?: string[];
                            produced_actions?: string[];
                            allowed_next_stages?: string[];
                            /** @default false */
                            terminal?: boolean;
                            /** Format: uint64 */
                            timeout_ms?: number | null;
                            /**
                             * Format: uint32
                             * @default 0
                             */
                            max_retries?: number;
                            /**
                             * Format: uint64
                             * @default 0
                             */
                            retry_delay_ms?: number;
                            /** Format: uint32 */
                            max_inflight?: number | null;
                            /** Format: uint64 */
                            sla_ms?: number | null;
                            dedup_key_fields?: string[];
                            owner?: string | null;
                            tags?: string[];
                            payload_schema?: unknown;
                            queue?: string | null;
                            /** @default fail */
                            on_failure?: "fail" | "continue";
                            join?: {
                                /** @default all */
                                rule?: "all" | "any" | "at_least" | "deadline";
                                /** Format: uint32 */
                                at_least?: number | null;
                                branches?: string[];
                                /** Format: uint64 */
                                deadline_ms?: number | null;
                            } | null;
                        }[];
                        /** Format: uint64 */
                        timeout_ms?: number | null;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        workflow: string;
                        /** Format: uint64 */
                        version: number;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_ls: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workflow: string;
                        /** Format: uint64 */
                        version: number;
                        /** Format: uint */
                        stages: number;
                        defined_by: string;
                        defined_at: string;
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_start: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                workflow: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    task: string;
                    payload?: Record<string, never> | unknown[] | string | number | boolean | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        task: string;
                        workflow: string;
                        /** Format: uint64 */
                        version: number;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_runs: {
        parameters: {
            query?: {
                state?: "running" | "completed" | "failed" | "cancelled";
                workflow?: string | null;
                limit?: number | null;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: string;
                        workflow: string;
                        /** Format: uint64 */
                        version: number;
                        state: string;
                        created_at: string;
                        created_by: string;
                        ended_at?: string | null;
                        error?: string | null;
                        deadline: string;
                        payload: unknown;
                        stages: {
                            stage: string;
                            /** Format: uint64 */
                            ready: number;
                            /** Format: uint64 */
                            running: number;
                            /** Format: uint64 */
                            done: number;
                            /** Format: uint64 */
                            failed: number;
                            since: string;
                            /** Format: uint64 */
                            sla_missed: number;
                            result?: unknown;
                            error?: string | null;
                            attempts?: {
                                /** Format: uint64 */
                                attempt: number;
                                action: string;
                                by: string;
                                since: string;
                                until: string;
                            }[];
                        }[];
                        joins?: {
                            stage: string;
                            rule: string;
                            since: string;
                            deadline: string;
                            /** Format: uint64 */
                            arrived: number;
                            /** Format: uint64 */
                            lost: number;
                            /** Format: uint64 */
                            expected?: number | null;
                            missing: string[];
                            results: {
                                [key: string]: unknown;
                            };
                            late?: {
                                [key: string]: unknown;
                            };
                            fired?: string | null;
                            fired_by?: string | null;
                        }[];
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: string;
                        workflow: string;
                        /** Format: uint64 */
                        version: number;
                        state: string;
                        created_at: string;
                        created_by: string;
                        ended_at?: string | null;
                        error?: string | null;
                        deadline: string;
                        payload: unknown;
                        stages: {
                            stage: string;
                            /** Format: uint64 */
                            ready: number;
                            /** Format: uint64 */
                            running: number;
                            /** Format: uint64 */
                            done: number;
                            /** Format: uint64 */
                            failed: number;
                            since: string;
                            /** Format: uint64 */
                            sla_missed: number;
                            result?: unknown;
                            error?: string | null;
                            attempts?: {
                                /** Format: uint64 */
                                attempt: number;
                                action: string;
                                by: string;
                                since: string;
                                until: string;
                            }[];
                        }[];
                        joins?: {
                            stage: string;
                            rule: string;
                            since: string;
                            deadline: string;
                            /** Format: uint64 */
                            arrived: number;
                            /** Format: uint64 */
                            lost: number;
                            /** Format: uint64 */
                            expected?: number | null;
                            missing: string[];
                            results: {
                                [key: string]: unknown;
                            };
                            late?: {
                                [key: string]: unknown;
                            };
                            fired?: string | null;
                            fired_by?: string | null;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_explain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: string;
                        workflow: string;
                        state: string;
                        summary: string;
                        waits: {
                            stage: string;
                            kind: string;
                            edge: string;
                            owner: string | null;
                            since: string;
                            until: string | null;
                            says: string;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_cancel: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                task: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default  */
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        task: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_enter: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                task: string;
                stage: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    action?: string | null;
                    payload?: Record<string, never> | unknown[] | string | number | boolean | null;
                    agent?: string | null;
                    /** @example 30s */
                    lease?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        task: string;
                        stage: string;
                        attempt: string;
                        until: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_extend: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                task: string;
                stage: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    attempt: string;
                    /** @example 30s */
                    lease?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        attempt: string;
                        until: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_complete: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                task: string;
                stage: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    attempt: string;
                    result?: Record<string, never> | unknown[] | string | number | boolean | null;
                    next?: {
                        stage: string;
                        action?: string | null;
                        payload?: Record<string, never> | unknown[] | string | number | boolean | null;
                        branch?: string | null;
                    }[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        state: string;
                        next: {
                            stage: string;
                            outcome: string;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_fail: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                task: string;
                stage: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    attempt: string;
                    /** @default  */
                    error?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        retry_at?: string | null;
                        state: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_arrive: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                task: string;
                stage: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    branch: string;
                    result?: Record<string, never> | unknown[] | string | number | boolean | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        state: string;
                        /** Format: uint64 */
                        arrived: number;
                        /** Format: uint64 */
                        expected?: number | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    workflows_expect: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                task: string;
                stage: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    branches: string[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        state: string;
                        /** Format: uint64 */
                        arrived: number;
                        /** Format: uint64 */
                        expected?: number | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    limits_check: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    limits: string[];
                    rule?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        allowed: boolean;
                        at: string;
                        limits: {
                            name: string;
                            fits: boolean;
                            /** Format: uint64 */
                            limit: number | null;
                            /** Format: uint64 */
                            window_ms: number;
                            /** Format: uint64 */
                            used: number;
                            /** Format: uint64 */
                            remaining: number | null;
                            /** Format: uint64 */
                            retry_after_ms: number | null;
                            /** Format: uint64 */
                            reset_after_ms: number;
                        }[];
                        tightest: string | null;
                        /** Format: uint64 */
                        remaining: number | null;
                        /** Format: uint64 */
                        retry_after_ms: number | null;
                        /** Format: uint64 */
                        retry_after: number | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    limits_explain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    limits: string[];
                    rule?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        allowed: boolean;
                        at: string;
                        limits: {
                            name: string;
                            fits: boolean;
                            /** Format: uint64 */
                            limit: number | null;
                            /** Format: uint64 */
                            window_ms: number;
                            /** Format: uint64 */
                            used: number;
                            /** Format: uint64 */
                            remaining: number | null;
                            /** Format: uint64 */
                            retry_after_ms: number | null;
                            /** Format: uint64 */
                            reset_after_ms: number;
                        }[];
                        tightest: string | null;
                        /** Format: uint64 */
                        remaining: number | null;
                        /** Format: uint64 */
                        retry_after_ms: number | null;
                        /** Format: uint64 */
                        retry_after: number | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    limits_ls: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        endpoint: string;
                        /** Format: uint64 */
                        limit: number;
                        /** Format: uint64 */
                        window_ms: number;
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    limits_set: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                endpoint: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    rule: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        endpoint: string;
                        /** Format: uint64 */
                        limit: number;
                        /** Format: uint64 */
                        window_ms: number;
                        outcome: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    limits_unset: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                endpoint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        endpoint: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dedupe_check: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    scope: string;
                    /** @default null */
                    content?: string | null;
                    hash?: string | null;
                    /** @example 30s */
                    window?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        scope: string;
                        hash: string;
                        /** Format: double */
                        seen_at: number;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dedupe_forget: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    scope: string;
                    /** @default null */
                    content?: string | null;
                    hash?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        scope: string;
                        hash: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    metrics_incr: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                counter: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: int64
                     * @default null
                     */
                    by?: number | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        counter: string;
                        /** Format: int64 */
                        value: number;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    metrics_ls: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        counter: string;
                        /** Format: int64 */
                        value: number | null;
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    keys_ls: {
        parameters: {
            query?: {
                system?: string | null;
                capability?: string | null;
                kind?: string | null;
                layout?: string | null;
                internal?: boolean;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        system: string;
                        family: string;
                        pattern: string;
                        kind: string;
                        retention: string;
                        capability: string;
                        role: unknown;
                        purpose: string;
                        internal: boolean;
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    keys_counts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        as_of: string;
                        /** Format: uint64 */
                        keys: number;
                        /** Format: uint64 */
                        looked: number;
                        whole: boolean;
                        families: {
                            family: string;
                            /** Format: uint64 */
                            met: number;
                            /** Format: uint64 */
                            about: number;
                            sample: string;
                        }[];
                        unknown: {
                            family: string;
                            /** Format: uint64 */
                            met: number;
                            /** Format: uint64 */
                            about: number;
                            sample: string;
                        } | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    keys_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                family: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        system: string;
                        family: string;
                        pattern: string;
                        kind: string;
                        retention: string;
                        capability: string;
                        role: unknown;
                        purpose: string;
                        internal: boolean;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    keys_which: {
        parameters: {
            query: {
                key: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        system: string;
                        family: string;
                        form: unknown;
                        kind: string;
                        bindings: {
                            [key: string]: unknown;
                        };
                        layout: string;
                        pattern: string;
                        capability: string;
                        internal: boolean;
                        purpose: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tokens_ls: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        id: string;
                        role: "viewer" | "agent" | "operator" | "reviewer" | "admin";
                        scopes: string[];
                        agent?: string | null;
                        by: string;
                        created_at: string;
                        expires_at: string | null;
                        last_used: string | null;
                        expired: boolean;
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tokens_create: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    role: string;
                    scopes?: string[];
                    agent?: string | null;
                    /** @example 30s */
                    ttl?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        name: string;
                        token: string;
                        role: string;
                        scopes: string[];
                        agent: string | null;
                        created_at: string;
                        expires_at: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tokens_revoke: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        name: string;
                        id: string;
                        role: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sign_ins_invite: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                user: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    role: string;
                    /** @example 30s */
                    ttl?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        user: string;
                        role: string;
                        code: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sign_ins_ls: {
        parameters: {
            query?: {
                user?: string | null;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        user: string;
                        role: ("viewer" | "agent" | "operator" | "reviewer" | "admin") | null;
                        by_token: boolean;
                        created_at: string;
                        last_active: string | null;
                        ip_address: string | null;
                        user_agent: string | null;
                        expires_at: string | null;
                        foreign: boolean;
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sign_ins_role: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                user: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    role: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        user: string;
                        role: string | null;
                        before: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sign_ins_revoke: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                user: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        user: string;
                        /** Format: uint64 */
                        sessions: number;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    webhooks_ls: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        url: string;
                        events: string[];
                        streams: string[];
                        by: string;
                        created_at: string;
                        /** Format: uint64 */
                        delivered: number;
                        /** Format: uint64 */
                        failed: number;
                        /** Format: uint64 */
                        streak: number;
                        last_at?: string | null;
                        last_result?: string | null;
                    }[];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    webhooks_add: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    url: string;
                    events?: string[];
                    streams?: string[];
                    /** @default null */
                    secret?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        id: string;
                        url: string;
                        events: string[];
                        streams: string[];
                        by: string;
                        created_at: string;
                        /** Format: uint64 */
                        delivered: number;
                        /** Format: uint64 */
                        failed: number;
                        /** Format: uint64 */
                        streak: number;
                        last_at?: string | null;
                        last_result?: string | null;
                        secret: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    webhooks_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        url: string;
                        events: string[];
                        streams: string[];
                        by: string;
                        created_at: string;
                        /** Format: uint64 */
                        delivered: number;
                        /** Format: uint64 */
                        failed: number;
                        /** Format: uint64 */
                        streak: number;
                        last_at?: string | null;
                        last_result?: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    webhooks_rm: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        id: string;
                        url: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    webhooks_test: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcome: string;
                        id: string;
                        result: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    notices_show: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        configured: boolean;
                        enabled: boolean;
                        /** Format: uint64 */
                        batch_wait_seconds: number;
                        /** Format: uint64 */
                        max_batch_wait_seconds: number;
                        receivers: string[];
                        /** Format: uint */
                        pending: number;
                        pending_since: string | null;
                        /** Format: uint32 */
                        attempts: number;
                        trouble: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    notices_set: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default null */
                    enabled?: boolean | null;
                    batch_wait_seconds?: number | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        configured: boolean;
                        enabled: boolean;
                        /** Format: uint64 */
                        batch_wait_seconds: number;
                        /** Format: uint64 */
                        max_batch_wait_seconds: number;
                        receivers: string[];
                        /** Format: uint */
                        pending: number;
                        pending_since: string | null;
                        /** Format: uint32 */
                        attempts: number;
                        trouble: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    notices_run: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uint */
                        found: number;
                        /** Format: uint */
                        sent: number;
                        /** Format: uint */
                        waiting: number;
                        idle: string | null;
                        trouble: string[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    notices_test: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sent: boolean;
                        trouble: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    audit_ls: {
        parameters: {
            query?: {
                who?: string | null;
                action?: string | null;
                target?: string | null;
                since?: string | null;
                limit?: number | null;
                cursor?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: {
                            id: string;
                            /** Format: uint64 */
                            n: number;
                            at: string;
                            who: string;
                            via: string;
                            action: string;
                            target: string;
                            before?: unknown;
                            after?: unknown;
                            request: string;
                            result: string;
                        }[];
                        cursor?: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    audit_verify: {
        parameters: {
            query?: {
                anchor?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uint64 */
                        records: number;
                        /** Format: uint64 */
                        batches: number;
                        /** Format: uint64 */
                        unsealed: number;
                        /** Format: uint64 */
                        unsealed_since?: number | null;
                        head?: {
                            /** Format: uint64 */
                            batch: number;
                            hash: string;
                        } | null;
                        findings: {
                            kind: string;
                            /** Format: uint64 */
                            batch?: number | null;
                            message: string;
                        }[];
                        /** Format: uint64 */
                        faults: number;
                        outcome: string;
                        anchor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    overview_show: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        health: string;
                        as_of: string;
                        numbers: {
                            /** Format: uint64 */
                            agents_online: number;
                            /** Format: uint64 */
                            agents_away: number;
                            /** Format: uint64 */
                            agents_stale: number;
                            /** Format: uint64 */
                            lock_holds: number;
                            /** Format: uint64 */
                            lock_waits: number;
                        };
                        needs: {
                            code: string;
                            urgency: "now" | "soon";
                            what: string;
                            noun: string;
                            id?: string | null;
                            next: string;
                            command: string;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    overview_series: {
        parameters: {
            query?: {
                name?: string | null;
                last?: string | null;
                steps?: number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        as_of: string;
                        /** Format: uint64 */
                        every_ms: number;
                        series: {
                            name: string;
                            at: number[];
                            values: {
                                [key: string]: (number | null)[];
                            };
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    find_find: {
        parameters: {
            query: {
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        q: string;
                        found: {
                            noun: string;
                            id: string;
                            what: string;
                            path: string;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sign_in: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    code?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sign_out: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        role: string;
                        scopes?: string[];
                        can: string[];
                        read_only: boolean;
                        environment: {
                            namespace: string;
                            layout: string;
                            version: string;
                            now: string;
                        };
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    live_events: {
        parameters: {
            query?: {
                since?: string;
            };
            header?: never;
            path: {
                stream: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    live_streams: {
        parameters: {
            query: {
                stream: string[];
                since?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    live_logs: {
        parameters: {
            query: {
                service: string[];
                since?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    live_tasks: {
        parameters: {
            query?: {
                since?: string;
            };
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    live_agents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    live_locks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    live_queues: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    live_services: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    live_service: {
        parameters: {
            query?: {
                since?: string;
            };
            header?: never;
            path: {
                service_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
