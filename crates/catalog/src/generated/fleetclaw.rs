// Generated from the catalog by `cargo xtask codegen`. Do not edit.

//! Keys of FleetClaw.

use super::ids::{AssetId};
use super::FamilyId;
use crate::space::{Key, Keys};

/// State, measurements, work and messages of a fleet of machines, each with an agent of its own.
#[derive(Debug, Clone, Copy)]
pub struct Fleetclaw<'k>(&'k Keys);

impl Keys {
    /// State, measurements, work and messages of a fleet of machines, each with an agent of its own.
    pub const fn fleetclaw(&self) -> Fleetclaw<'_> {
        Fleetclaw(self)
    }
}

impl Fleetclaw<'_> {
    /// `fleet:asset:<asset_id>:state` · hash · none: How one machine is now.
    pub fn state(&self, asset_id: &AssetId) -> Key {
        self.0.join(
            FamilyId::FleetclawState,
            &["fleet:asset:", asset_id.as_key(), ":state"],
            &["fleet:asset:{asset:", asset_id.as_key(), "}:state"],
        )
    }

    /// `fleet:asset:<asset_id>:fuel` · stream · maxlen ~1000: Fills of one machine.
    pub fn fuel(&self, asset_id: &AssetId) -> Key {
        self.0.join(
            FamilyId::FleetclawFuel,
            &["fleet:asset:", asset_id.as_key(), ":fuel"],
            &["fleet:asset:{asset:", asset_id.as_key(), "}:fuel"],
        )
    }

    /// `fleet:asset:<asset_id>:meter` · stream · maxlen ~1000: Meter readings of one machine.
    pub fn meter(&self, asset_id: &AssetId) -> Key {
        self.0.join(
            FamilyId::FleetclawMeter,
            &["fleet:asset:", asset_id.as_key(), ":meter"],
            &["fleet:asset:{asset:", asset_id.as_key(), "}:meter"],
        )
    }

    /// `fleet:asset:<asset_id>:preop` · stream · maxlen ~500: Pre-operation checks of one machine.
    pub fn preop(&self, asset_id: &AssetId) -> Key {
        self.0.join(
            FamilyId::FleetclawPreop,
            &["fleet:asset:", asset_id.as_key(), ":preop"],
            &["fleet:asset:{asset:", asset_id.as_key(), "}:preop"],
        )
    }

    /// `fleet:asset:<asset_id>:issues` · stream · maxlen ~500: Problems reported on one machine.
    pub fn issues(&self, asset_id: &AssetId) -> Key {
        self.0.join(
            FamilyId::FleetclawIssues,
            &["fleet:asset:", asset_id.as_key(), ":issues"],
            &["fleet:asset:{asset:", asset_id.as_key(), "}:issues"],
        )
    }

    /// `fleet:asset:<asset_id>:maintenance` · stream · maxlen ~500: Work that mechanics finished on one machine.
    pub fn maintenance(&self, asset_id: &AssetId) -> Key {
        self.0.join(
            FamilyId::FleetclawMaintenance,
            &["fleet:asset:", asset_id.as_key(), ":maintenance"],
            &["fleet:asset:{asset:", asset_id.as_key(), "}:maintenance"],
        )
    }

    /// `fleet:asset:<asset_id>:alerts` · stream · maxlen ~200: Anomalies found on one machine.
    pub fn alerts(&self, asset_id: &AssetId) -> Key {
        self.0.join(
            FamilyId::FleetclawAlerts,
            &["fleet:asset:", asset_id.as_key(), ":alerts"],
            &["fleet:asset:{asset:", asset_id.as_key(), "}:alerts"],
        )
    }

    /// `fleet:asset:<asset_id>:inbox` · stream · maxlen ~100: Messages to the agent of one machine.
    pub fn inbox(&self, asset_id: &AssetId) -> Key {
        self.0.join(
            FamilyId::FleetclawInbox,
            &["fleet:asset:", asset_id.as_key(), ":inbox"],
            &["fleet:asset:{asset:", asset_id.as_key(), "}:inbox"],
        )
    }

    /// `fleet:asset:<asset_id>:lifecycle` · hash · none: Whether one machine belongs to the working fleet.
    pub fn lifecycle(&self, asset_id: &AssetId) -> Key {
        self.0.join(
            FamilyId::FleetclawLifecycle,
            &["fleet:asset:", asset_id.as_key(), ":lifecycle"],
            &["fleet:asset:{asset:", asset_id.as_key(), "}:lifecycle"],
        )
    }

    /// `fleet:directives` · stream · maxlen ~200: Instructions to the whole fleet or to one machine.
    pub fn directives(&self) -> Key {
        self.0.join(
            FamilyId::FleetclawDirectives,
            &["fleet:directives"],
            &["fleet:directives"],
        )
    }

    /// `fleet:escalations` · stream · maxlen ~500: Matters that need a decision by the managers.
    pub fn escalations(&self) -> Key {
        self.0.join(
            FamilyId::FleetclawEscalations,
            &["fleet:escalations"],
            &["fleet:escalations"],
        )
    }

    /// `fleet:index:active` · set · none: All machines at work.
    pub fn active_assets(&self) -> Key {
        self.0.join(
            FamilyId::FleetclawActiveAssets,
            &["fleet:index:active"],
            &["fleet:index:active"],
        )
    }

    /// `fleet:index:idle` · set · none: All machines that rest.
    pub fn idle_assets(&self) -> Key {
        self.0.join(
            FamilyId::FleetclawIdleAssets,
            &["fleet:index:idle"],
            &["fleet:index:idle"],
        )
    }
}
